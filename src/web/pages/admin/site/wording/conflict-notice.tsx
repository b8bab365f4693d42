import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { formatMoment } from '../../../../../domain/common/dates.ts'
import { useTimeZone } from '../../../../features/stays/today.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { DiffText, diffTexts } from '../change-list.tsx'
import type { WordingEditor } from './use-wording.ts'
import { fieldNames, type WordingBody } from './wording-data.ts'

/** Shows both wordings after a conflicting save, and lets the owner choose one. */
export function ConflictNotice({ editor }: { editor: WordingEditor }) {
  const timeZone = useTimeZone()
  const { body, conflict, isSaving, keepMine, takeTheirs } = editor
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (conflict) box.current?.focus()
  }, [conflict])
  if (!conflict) return null
  const { at, by } = conflict.theirs
  return (
    <Notice
      ref={box}
      tabIndex={-1}
      tone="warning"
      role="alert"
      title={conflict.message}
      className="[&>div]:grid [&>div]:grid-cols-1"
      action={
        <div className="flex flex-wrap gap-3 max-sm:*:grow">
          <Button size="sm" busy={isSaving} busyLabel="Saving..." onClick={() => void keepMine()}>
            Keep mine
          </Button>
          <Button variant="secondary" size="sm" disabled={isSaving} onClick={() => void takeTheirs()}>
            Take theirs
          </Button>
        </div>
      }
    >
      <p>
        {by?.name ?? 'Somebody'} saved {at ? `on ${formatMoment(at, timeZone)}` : 'another wording'}. Nothing
        of yours is lost until you choose.
      </p>
      {conflict.mine === null ? (
        <p className="mt-2">You wanted to go back to the original wording.</p>
      ) : (
        <Changes mine={body} theirs={conflict.theirs.body} />
      )}
    </Notice>
  )
}

function Changes({ mine, theirs }: { mine: WordingBody; theirs: WordingBody }) {
  const changed = Object.keys(theirs).filter(field => mine[field] !== theirs[field])
  if (changed.length === 0) return <p className="mt-2">Both wordings say the same.</p>
  return (
    // The region scrolls, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section aria-label="Both wordings" tabIndex={0} className="mt-3 grid max-h-96 gap-3 overflow-y-auto">
      {changed.map(field => (
        <FieldChange key={field} field={field} mine={mine[field] ?? ''} theirs={theirs[field] ?? ''} />
      ))}
    </section>
  )
}

function FieldChange({ field, mine, theirs }: { field: string; mine: string; theirs: string }) {
  const parts = useMemo(() => diffTexts(theirs, mine), [mine, theirs])
  const name = fieldNames[field] ?? field
  return (
    <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
      <Side name={`Theirs: ${name}`}>
        {theirs === '' ? nothing : <DiffText parts={parts} side="before" />}
      </Side>
      <Side name={`Mine: ${name}`}>{mine === '' ? nothing : <DiffText parts={parts} side="after" />}</Side>
    </div>
  )
}

const nothing = <p className="text-muted italic">Empty</p>

function Side({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-control border border-line bg-white px-3 py-2">
      <p className="text-sm text-muted">{name}</p>
      {children}
    </div>
  )
}
