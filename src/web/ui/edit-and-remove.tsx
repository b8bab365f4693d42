import { Pencil, Trash2 } from 'lucide-react'
import { IconButton } from './icon-button.tsx'

type EditAndRemoveProps = {
  name: string
  onEdit: () => void
  onRemove: () => void
}

/** The buttons that every entry in a list has. */
export function EditAndRemove({ name, onEdit, onRemove }: EditAndRemoveProps) {
  return (
    <span className="-mr-2.5 flex max-sm:ml-auto">
      <IconButton label={`Edit ${name}`} onClick={onEdit}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton
        label={`Remove ${name}`}
        className="text-muted not-disabled:hover:bg-red-tint not-disabled:hover:text-red"
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </span>
  )
}
