import type { Placeholder } from './use-wording.ts'

type PlaceholderChipsProps = {
  placeholders: readonly Placeholder[]
  /** The name of the field that they are inserted into, for screen readers. */
  target: string
  onInsert: (words: string) => void
}

/** The placeholders of a wording; a click inserts one at the cursor. */
export function PlaceholderChips({ placeholders, target, onInsert }: PlaceholderChipsProps) {
  const hasNeeded = placeholders.some(({ needed }) => needed)
  return (
    <div className="grid gap-2">
      <p id="placeholders" className="text-[0.9375rem] font-semibold text-navy">
        Placeholders
      </p>
      <p className="text-sm text-muted">
        Press one to put it into {target}, at the cursor.{hasNeeded && ' Those with a star are required.'}
      </p>
      <ul aria-labelledby="placeholders" className="flex flex-wrap gap-1.5">
        {placeholders.map(placeholder => (
          <li key={placeholder.name} className="min-w-0">
            <Chip {...placeholder} onInsert={onInsert} />
          </li>
        ))}
      </ul>
      <details className="text-[0.9375rem]">
        <summary className="w-fit cursor-pointer py-1.5 font-semibold text-lagoon-dark">
          What they stand for
        </summary>
        <dl className="mt-1 grid gap-2">
          {placeholders.map(({ meaning, name, sample }) => (
            <div key={name}>
              <dt className="font-mono text-sm wrap-anywhere text-navy">{`{{${name}}}`}</dt>
              <dd>
                {meaning}
                {sample && <span className="block truncate text-muted">{firstLine(sample)}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}

type ChipProps = Placeholder & Pick<PlaceholderChipsProps, 'onInsert'>

function Chip({ meaning, name, needed, onInsert }: ChipProps) {
  return (
    <button
      type="button"
      title={meaning}
      className="inline-flex min-h-9 items-center rounded-full border border-line-strong bg-white px-3 font-mono text-sm wrap-anywhere text-navy transition-colors hover:border-navy hover:bg-shell"
      onClick={() => onInsert(`{{${name}}}`)}
    >
      {name}
      {needed && (
        <>
          <span aria-hidden className="text-red">
            {' *'}
          </span>
          <span className="sr-only"> (needed)</span>
        </>
      )}
    </button>
  )
}

/** Cuts samples with several lines, such as the signature lines. */
function firstLine(sample: string): string {
  const [first = '', ...others] = sample.split('\n')
  return others.length > 0 ? `${first} …` : first
}

/** Inserts text at a field's cursor as if it were typed, so that the browser's undo works. */
export function insertText(field: HTMLInputElement | HTMLTextAreaElement, words: string): void {
  field.focus()
  if (document.execCommand('insertText', false, words)) return
  field.setRangeText(words, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
