import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../../../ui/class-names.ts'
import { type Entries, orderMessages } from './use-entries.ts'

type SortableEntriesProps<Entry> = {
  entries: Entries<Entry>
  /** Side by side instead of stacked. */
  grid?: boolean
  children: ReactNode
}

/** An area in which entries can be dragged by pointer or keyboard; the live region announces each step. */
export function SortableEntries<Entry>({ entries, grid = false, children }: SortableEntriesProps<Entry>) {
  const { announce, count, keys, move, nameAt } = entries
  const sensors = useSensors(
    // A click on the handle does not start a drag.
    useSensor(PointerSensor, { activationConstraint: { distance: 5 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const placeOf = (id: string | number | undefined) => keys.indexOf(String(id))
  const over = ({ active, over }: DragOverEvent) => {
    if (over && over.id !== active.id) announce(orderMessages.over(placeOf(over.id), count))
  }
  const end = ({ active, over }: DragEndEvent) => {
    const [from, to] = [placeOf(active.id), placeOf(over?.id ?? active.id)]
    if (from === to || to === -1) announce(orderMessages.putBack(nameAt(from), from, count))
    else move(from, to)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={grid ? [] : [upAndDown]}
      accessibility={{ announcements: silent, screenReaderInstructions: instructions }}
      onDragStart={({ active }) =>
        announce(orderMessages.pickedUp(nameAt(placeOf(active.id)), placeOf(active.id), count))
      }
      onDragOver={over}
      onDragEnd={end}
      onDragCancel={({ active }) => {
        const from = placeOf(active.id)
        announce(orderMessages.putBack(nameAt(from), from, count))
      }}
    >
      <SortableContext items={keys} strategy={grid ? rectSortingStrategy : verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })
/** Disables the library's announcements: the list has a live region that also covers its buttons. */
const nothing = () => undefined
const silent = {
  onDragStart: nothing,
  onDragOver: nothing,
  onDragEnd: nothing,
  onDragCancel: nothing,
}
const instructions = {
  draggable: 'Space picks up, arrow keys move, Space puts down, Escape puts back.',
}

type SortableEntryProps = {
  id: string
  /** The name of the entry, for the handle's label. */
  name: string
  className?: string | undefined
  handleClass?: string
  children: (handle: ReactNode) => ReactNode
}

/** An entry that can be dragged by its handle. */
export function SortableEntry({ id, name, className, handleClass, children }: SortableEntryProps) {
  const { attributes, isDragging, listeners, setActivatorNodeRef, setNodeRef, transform, transition } =
    useSortable({ id })
  const handle = (
    <button
      type="button"
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      data-target="handle"
      aria-label={`Move ${name}`}
      title="Drag to move"
      className={classNames(
        'inline-flex size-10 shrink-0 touch-none items-center justify-center rounded-control text-muted hover:text-navy pointer-coarse:size-11',
        handleClass,
      )}
    >
      <GripVertical aria-hidden className="size-5" />
    </button>
  )
  return (
    <li
      ref={setNodeRef}
      data-entry={id}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
      className={classNames(className, isDragging && 'relative z-10 bg-white shadow-overlay')}
    >
      {children(handle)}
    </li>
  )
}
