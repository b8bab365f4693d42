import { type ReactNode, useRef } from 'react'
import { labelOf } from '../../../../domain/content/content-label.ts'

type TextControl = HTMLInputElement | HTMLTextAreaElement

type WithPlaceholdersProps = {
  placeholders: readonly { name: string; meaning?: string; needed?: boolean; sample?: string }[]
  /** Returns the placeholder as it stands in the text, such as `{{firstName}}`. */
  tokenOf: (name: string) => string
  /** The fields. Those that cannot have placeholders are outside. */
  children: ReactNode
}

/** Fields below the placeholders by their names in words; a click inserts one at the cursor. */
export function WithPlaceholders({ placeholders, tokenOf, children }: WithPlaceholdersProps) {
  const area = useRef<HTMLDivElement>(null)
  const last = useRef<TextControl>(null)
  const insert = (token: string) => {
    const isThere = last.current && area.current?.contains(last.current)
    const field = isThere ? last.current : area.current?.querySelector('textarea')
    if (field) insertText(field, token)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only remembers where the cursor is
    <div
      ref={area}
      className="grid grid-cols-1 gap-5"
      onFocus={({ target }) => {
        if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) last.current = target
      }}
    >
      <fieldset className="flex min-w-0 items-center gap-1.5 fading-row max-sm:overflow-x-auto max-sm:p-1 max-sm:pr-12 sm:flex-wrap">
        <legend className="float-left mr-1.5 text-sm leading-8 text-muted">Insert:</legend>
        {placeholders.map(({ meaning, name, needed, sample }) => (
          <button
            key={name}
            type="button"
            title={[meaning, sample].filter(Boolean).join(': ')}
            onClick={() => insert(tokenOf(name))}
            className="min-h-8 rounded-full border border-line-strong bg-white px-3 text-sm whitespace-nowrap text-navy hover:border-navy pointer-coarse:min-h-11"
          >
            {labelOf([name])}
            {needed && <span className="text-red"> *</span>}
          </button>
        ))}
      </fieldset>
      {placeholders.some(({ needed }) => needed) && (
        <p className="-mt-3 text-sm text-muted">Those with * must be in the text.</p>
      )}
      {children}
    </div>
  )
}

/** Inserts text at a field's cursor as if it were typed, so that the browser's undo works. */
function insertText(field: TextControl, words: string): void {
  field.focus()
  if (document.execCommand('insertText', false, words)) return
  field.setRangeText(words, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
