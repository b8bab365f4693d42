import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { newId } from '../../../../api/api.ts'
import { type FieldBinding, limitsOf } from './field-binding.ts'

/** The list with one entry moved to another place. */
export function moveEntry<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const moved = entries.filter((_, index) => index !== from)
  return moved.toSpliced(to, 0, entries[from] as Entry)
}

/** The screen reader announcements for reordering a list; places count from 1. */
export const orderMessages = {
  pickedUp: (name: string, index: number, count: number) =>
    `Picked up: ${name}, place ${index + 1} of ${count}`,
  over: (index: number, count: number) => `Place ${index + 1} of ${count}`,
  moved: (name: string, index: number, count: number) => `Moved to place ${index + 1} of ${count}: ${name}`,
  putBack: (name: string, index: number, count: number) =>
    `Put back to place ${index + 1} of ${count}: ${name}`,
  added: (noun: string, count: number) => `Added ${noun} ${count}`,
  removed: (name: string, count: number) => `Removed: ${name}. ${count} left.`,
} as const

/** Adds or drops keys so that there is one for each entry; existing entries keep their keys. */
export function resizeKeys(keys: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => keys[index] ?? newId())
}

/** Where the focus goes when an entry is removed: to the next entry, or else to the previous one. */
export function nextFocusKey(keys: readonly string[], removed: number): string | undefined {
  return keys[removed + 1] ?? keys[removed - 1]
}

/** The parts of an entry that can get the focus. */
type EntryTarget = 'handle' | 'earlier' | 'later' | 'fields' | 'add'

type EntriesOptions<Entry> = {
  field: FieldBinding<Entry[]>
  /** `fact` */
  noun: string
  /** A short name of the entry; empty if it has no text yet. */
  nameOf: (entry: Entry) => string
}

export type Entries<Entry> = {
  /** The ref of the element that contains the list and the Add button. */
  root: RefObject<HTMLFieldSetElement | null>
  keys: string[]
  /** The text in the live region. */
  announcement: string
  announce: (message: string) => void
  nameAt: (index: number) => string
  count: number
  max: number
  /** Returns the keys of the added entries. */
  add: (...entries: Entry[]) => string[]
  remove: (index: number) => void
  /** Moves an entry. `target` gets the focus back, because browsers remove it from an element that moves. */
  move: (from: number, to: number, target?: EntryTarget) => void
  focusAdd: () => void
}

/** A list that can be reordered, with stable keys and announcements; it never loses the focus. */
export function useEntries<Entry>({ nameOf, noun, field }: EntriesOptions<Entry>): Entries<Entry> {
  const entries = field.value
  const count = entries.length
  const [keys, setKeys] = useFittingKeys(count)
  const [announcement, announce] = useState('')
  const [root, focusNext] = useFocusNext()
  const nameAt = (index: number) => {
    const entry = entries[index]
    return (entry !== undefined && nameOf(entry).trim()) || `${noun} ${index + 1}`
  }
  const { max = Number.POSITIVE_INFINITY } = limitsOf(field)
  return {
    root,
    keys,
    announcement,
    announce,
    nameAt,
    count,
    max,
    add: (...added) => {
      const nextKeys = resizeKeys(keys, count + added.length)
      setKeys(nextKeys)
      field.onChange([...entries, ...added])
      announce(orderMessages.added(noun, count + added.length))
      focusNext(nextKeys[count], 'fields')
      return nextKeys.slice(count)
    },
    remove: index => {
      setKeys(keys.toSpliced(index, 1))
      field.onChange(entries.toSpliced(index, 1))
      announce(orderMessages.removed(nameAt(index), count - 1))
      const nextKey = nextFocusKey(keys, index)
      focusNext(nextKey, nextKey === undefined ? 'add' : 'handle')
    },
    move: (from, to, target) => {
      if (to < 0 || to >= count) return
      setKeys(moveEntry(keys, from, to))
      field.onChange(moveEntry(entries, from, to))
      announce(orderMessages.moved(nameAt(from), to, count))
      if (target) focusNext(keys[from], target)
    },
    focusAdd: () => focusNext(undefined, 'add'),
  }
}

function useFittingKeys(count: number) {
  const [keys, setKeys] = useState(() => resizeKeys([], count))
  // The list was replaced from outside.
  const resized = keys.length === count ? keys : resizeKeys(keys, count)
  if (resized !== keys) setKeys(resized)
  return [resized, setKeys] as const
}

/** Moves the focus after the change is rendered. */
function useFocusNext() {
  const root = useRef<HTMLFieldSetElement>(null)
  const next = useRef<{ key: string | undefined; target: EntryTarget }>(undefined)
  useLayoutEffect(() => {
    const wanted = next.current
    next.current = undefined
    if (!wanted || !root.current) return
    findTarget(root.current, wanted.key, wanted.target)?.focus()
  })
  return [
    root,
    (key: string | undefined, target: EntryTarget) => {
      next.current = { key, target }
    },
  ] as const
}

function findTarget(root: Element, key: string | undefined, target: EntryTarget): HTMLElement | null {
  const scope = key === undefined ? '' : `[data-entry="${key}"] `
  if (target === 'fields')
    return root.querySelector(`${scope}[data-fields] :is(input, textarea), ${scope}[data-fields] button`)
  // At either end of the list only the opposite direction is enabled.
  const wayBack = { earlier: 'later', later: 'earlier', handle: 'handle', add: 'add' }[target]
  return (
    root.querySelector<HTMLElement>(`${scope}[data-target="${target}"]:not(:disabled)`) ??
    root.querySelector<HTMLElement>(`${scope}[data-target="${wayBack}"]`)
  )
}
