import { type ChangeObject, diffWordsWithSpace } from 'diff'
import { classNames } from '../../../ui/class-names.ts'

type Part = Pick<ChangeObject<string>, 'added' | 'removed' | 'value'>

/** Unchanged text longer than this is cut in the middle. */
const sameShown = 200
/** If the comparison takes longer, both texts are marked as a whole. */
const timeoutMs = 250

/** The words in which two texts differ. */
export function diffTexts(before: string, after: string): Part[] {
  return (
    diffWordsWithSpace(before, after, { timeout: timeoutMs }) ?? [
      { value: before, removed: true, added: false },
      { value: after, removed: false, added: true },
    ]
  )
}

/** One side of a comparison, with the words marked that are not on the other side. */
export function DiffText({ parts, side }: { parts: readonly Part[]; side: 'before' | 'after' }) {
  const shown = joined(parts.filter(({ added, removed }) => (side === 'before' ? !added : !removed)))
  return (
    <p className="wrap-anywhere whitespace-pre-wrap">
      {shown.map((part, index) => {
        const key = `${index}-${part.value.length}`
        if (part.removed)
          return (
            <del key={key} className={classNames(markClass, 'bg-red-tint text-red')}>
              {part.value}
            </del>
          )
        if (part.added)
          return (
            <ins key={key} className={classNames(markClass, 'bg-green-tint text-green')}>
              {part.value}
            </ins>
          )
        return (
          <span key={key}>
            {shortened(part.value, { isFirst: index === 0, isLast: index === shown.length - 1 })}
          </span>
        )
      })}
    </p>
  )
}

/** Joins marked words that are separated only by whitespace. */
function joined(parts: readonly Part[]): Part[] {
  const isMarked = (part: Part | undefined) => part !== undefined && (part.added || part.removed)
  const found: Part[] = []
  for (const [index, part] of parts.entries()) {
    const last = found.at(-1)
    const isBlank = part.value.trim() === '' && isMarked(parts[index + 1])
    if (last && isMarked(last) && (isMarked(part) || isBlank))
      found[found.length - 1] = { ...last, value: last.value + part.value }
    else found.push(part)
  }
  return found
}

const markClass = 'rounded-xs font-semibold underline-offset-2 [box-decoration-break:clone]'

/** Cuts the middle out of a long text. The first part needs no beginning, and the last part no end. */
export function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  if (text.length <= sameShown || (isFirst && isLast)) return text
  const edge = sameShown / 2
  // Words are not cut.
  const start = isFirst ? '' : text.slice(0, edge).replace(/\S*$/, '')
  const end = isLast ? '' : text.slice(-edge).replace(/^\S*/, '')
  return `${start}…${end}`
}
