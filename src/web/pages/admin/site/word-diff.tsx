import { type ChangeObject, diffWordsWithSpace } from 'diff'
import { classNames } from '../../../ui/class-names.ts'

type Part = Pick<ChangeObject<string>, 'added' | 'removed' | 'value'>

/** Longer than this, what is the same is left out in the middle. */
const sameShown = 200
/** Two texts without much in common are marked whole after this time. */
const timeoutMs = 250

/** What words two texts differ in. */
export function diffTexts(before: string, after: string): Part[] {
  return (
    diffWordsWithSpace(before, after, { timeout: timeoutMs }) ?? [
      { value: before, removed: true, added: false },
      { value: after, removed: false, added: true },
    ]
  )
}

/** One side of two texts, with the words that the other lacks marked. */
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

/** Marked words with only a blank between them as one mark. */
function joined(parts: readonly Part[]): Part[] {
  const isMarked = (part: Part | undefined) => part !== undefined && (part.added || part.removed)
  return parts.reduce<Part[]>((before, part, index) => {
    const last = before.at(-1)
    const isBlank = part.value.trim() === '' && isMarked(parts[index + 1])
    if (!last || !isMarked(last) || !(isMarked(part) || isBlank)) return [...before, part]
    return [...before.slice(0, -1), { ...last, value: last.value + part.value }]
  }, [])
}

const markClass = 'rounded-xs font-semibold underline-offset-2 [box-decoration-break:clone]'

/** Without the middle of a long text; nothing is before the first part and after the last. */
export function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  if (text.length <= sameShown || (isFirst && isLast)) return text
  const edge = sameShown / 2
  return `${isFirst ? '' : text.slice(0, edge)}…${isLast ? '' : text.slice(-edge)}`
}
