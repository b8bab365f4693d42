import { type ChangeObject, diffWordsWithSpace } from 'diff'
import { type ReactNode, useMemo } from 'react'
import { api } from '../../../api/api.ts'
import { classNames } from '../../../ui/class-names.ts'
import {
  type Change,
  changeLabel,
  type EntryName,
  entryFields,
  orderText,
  pictureOf,
  valueText,
} from './change-text.ts'
import { PictureThumbnail, useLibraryPicture } from './sections/picture-library.tsx'
import { sectionLabels, sectionNames } from './sections/section-labels.ts'

type Sides = {
  before: string
  after: string
  /** The label above an entry that exists only on this side. */
  onlyBefore?: string
  onlyAfter?: string
}
/** A change of a section, or of a wording. */
type AnyChange = Omit<Change, 'section'>

/** The differences between two states of the content, section by section. */
export function ChangeList({ changes, sides }: { changes: readonly Change[]; sides: Sides }) {
  return (
    <div className="grid gap-6">
      {sectionNames
        .map(name => ({ name, own: changes.filter(({ section }) => section === name) }))
        .filter(({ own }) => own.length > 0)
        .map(({ name, own }) => (
          <div key={name} className="grid gap-4">
            <h3 className="border-b border-line pb-1 text-lg font-semibold text-navy">
              {sectionLabels[name]}
            </h3>
            <ChangeRows changes={own} sides={sides} />
          </div>
        ))}
    </div>
  )
}

/** The changes of one section, or of a wording. */
export function ChangeRows({ changes, sides }: { changes: readonly AnyChange[]; sides: Sides }) {
  const nameOf = useEntryNames(changes)
  return (
    <ul className="grid gap-4">
      {changes.map(change => (
        <li key={change.path} className="grid gap-1.5">
          <p className="font-semibold text-navy">{changeLabel(change.path, nameOf)}</p>
          <ChangeContent change={change} sides={sides} nameOf={nameOf} />
        </li>
      ))}
    </ul>
  )
}

type ChangeProps = { change: AnyChange; sides: Sides; nameOf: EntryName }

function ChangeContent({ change, sides, nameOf }: ChangeProps) {
  const { after, before, path } = change
  if (path.endsWith('.order')) return <p>{orderText(change, nameOf)}</p>
  if (path.split('.').at(-1) === 'picture')
    return <Pair sides={sides} before={<Thumbnail id={before} />} after={<Thumbnail id={after} />} />
  if (isEntry(path) && before === null)
    return (
      <Side label={sides.onlyAfter}>
        <Entry entry={after} />
      </Side>
    )
  if (isEntry(path) && after === null)
    return (
      <Side label={sides.onlyBefore}>
        <Entry entry={before} />
      </Side>
    )
  if (typeof before === 'string' && typeof after === 'string' && valueText(path, after) === after)
    return <TextPair before={before} after={after} sides={sides} />
  return <Pair sides={sides} before={valueText(path, before)} after={valueText(path, after)} />
}

type TextPairProps = { before: string; after: string; sides: Pick<Sides, 'before' | 'after'> }

/** Two texts side by side, with the words marked in which they differ. */
function TextPair({ before, after, sides }: TextPairProps) {
  const parts = useMemo(() => diffTexts(before, after), [before, after])
  return (
    <Pair
      sides={sides}
      before={before === '' ? <Nothing /> : <DiffText parts={parts} side="before" />}
      after={after === '' ? <Nothing /> : <DiffText parts={parts} side="after" />}
    />
  )
}

/** Whether a path leads to an entry of a list. */
const isEntry = (path: string) => path.split('.').length > 1 && !path.startsWith('focal.')

type PairProps = { sides: TextPairProps['sides']; before: ReactNode; after: ReactNode }

function Pair({ sides, before, after }: PairProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Side label={sides.before}>{before}</Side>
      <Side label={sides.after}>{after}</Side>
    </div>
  )
}

function Side({ label, children }: { label: string | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-control border border-line bg-white px-3 py-2">
      <p className="text-sm text-muted">{label}</p>
      {children}
    </div>
  )
}

const Nothing = () => <p className="text-muted italic">Empty</p>

function Entry({ entry }: { entry: unknown }) {
  const picture = pictureOf('', entry)
  return (
    <div className="grid gap-1">
      {picture && <Thumbnail id={picture} />}
      {entryFields(entry).map(({ key, label, text }) => (
        <p key={key} className="wrap-anywhere whitespace-pre-wrap">
          {label && <span className="text-muted">{label}: </span>}
          {text}
        </p>
      ))}
    </div>
  )
}

function Thumbnail({ id }: { id: unknown }) {
  const picture = useLibraryPicture(typeof id === 'string' ? id : null)
  if (typeof id !== 'string') return <p className="text-muted italic">No picture</p>
  return (
    <figure className="flex items-center gap-3">
      <PictureThumbnail picture={picture} className="w-24 shrink-0 rounded-control" />
      <figcaption className="min-w-0 wrap-anywhere">{picture?.name ?? id}</figcaption>
    </figure>
  )
}

/** The names of pictures and reviews, from the changes themselves, the draft, or the list of pictures. */
function useEntryNames(changes: readonly AnyChange[]): EntryName {
  const enabled = changes.some(({ path }) => /picture|review/.test(path))
  const draft = api.editor.draft.useQuery(undefined, { enabled }).data?.draft
  const pictures = api.pictures.list.useQuery(undefined, { enabled }).data?.pictures
  return useMemo(() => {
    const named = new Map<string, string>()
    const note = (entry: unknown) => {
      const { caption, id, name, picture } = (entry ?? {}) as Record<string, unknown>
      const [key, text] = picture === undefined ? [id, name] : [picture, caption]
      if (typeof key === 'string' && typeof text === 'string' && text !== '') named.set(key, text)
    }
    for (const picture of pictures ?? []) named.set(picture.id, picture.name)
    for (const [section, list] of [
      ['gallery', 'pictures'],
      ['reviews', 'reviews'],
    ] as const) {
      const entries: unknown = draft?.sections[section].body[list]
      for (const entry of Array.isArray(entries) ? entries : []) note(entry)
    }
    for (const { after, before } of changes) for (const entry of [before, after]) note(entry)
    return (_list, id) => named.get(id)
  }, [changes, draft, pictures])
}

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
function DiffText({ parts, side }: { parts: readonly Part[]; side: 'before' | 'after' }) {
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
