import { formatMoment } from '../../../../../domain/dates.ts'
import { useTimeZone } from '../../../../features/stays/today.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { changedLines } from './changed-lines.ts'
import type { WordingEditor } from './use-wording.ts'
import { fieldNames } from './wording-data.ts'

/** Both wordings, where somebody else saved meanwhile, and the choice between them. */
export function ClashNotice({ editor }: { editor: WordingEditor }) {
  const timeZone = useTimeZone()
  const { body, clash, isSaving, keepMine, takeTheirs } = editor
  if (!clash) return null
  const { at, by } = clash.theirs
  return (
    <Notice
      tone="warning"
      role="alert"
      title={clash.message}
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
      {clash.mine === null ? (
        <p className="mt-2">You wanted to go back to the original wording.</p>
      ) : (
        <Changes mine={body} theirs={clash.theirs.body} />
      )}
    </Notice>
  )
}

function Changes({ mine, theirs }: { mine: Record<string, string>; theirs: Record<string, string> }) {
  const changes = Object.keys(theirs).flatMap(field =>
    changedLines(mine[field] ?? '', theirs[field] ?? '').map((change, at) => ({
      ...change,
      field,
      key: `${field}-${at}`,
    })),
  )
  if (changes.length === 0) return <p className="mt-2">Both wordings say the same.</p>
  return (
    // It scrolls, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section aria-label="Both wordings" tabIndex={0} className="mt-3 grid max-h-96 gap-3 overflow-y-auto">
      {changes.map(change => (
        <dl key={change.key} className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <Side name={`Mine: ${fieldNames[change.field] ?? change.field}`} words={change.mine} />
          <Side name={`Theirs: ${fieldNames[change.field] ?? change.field}`} words={change.theirs} />
        </dl>
      ))}
    </section>
  )
}

function Side({ name, words }: { name: string; words: string }) {
  return (
    <div className="min-w-0 rounded-control border border-line bg-white p-3">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd className="wrap-anywhere whitespace-pre-wrap">{words || <em>Nothing</em>}</dd>
    </div>
  )
}
