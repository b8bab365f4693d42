import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../ui/button.tsx'

/** The buttons below a form in a card. They stay visible while the card is in view. */
export function FormActions({ busy, onCancel }: { busy: boolean; onCancel: () => void }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-5 -mb-5 flex gap-3 rounded-b-card border-t border-line bg-white px-5 py-3 sm:-mx-6 sm:-mb-6 sm:justify-end sm:px-6">
      <Button variant="secondary" className="max-sm:grow" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" className="max-sm:grow" busy={busy} busyLabel="Saving...">
        Save
      </Button>
    </div>
  )
}

/**
 * A card that turns into a form. `button` starts editing; when the form closes, the button is back and gets the focus.
 */
export function useEditing(focus?: FocusOptions) {
  const [isEditing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  return {
    isEditing,
    close: () => {
      flushSync(() => setEditing(false))
      editButton.current?.focus(focus)
    },
    button: (label?: string) =>
      !isEditing && (
        <Button
          ref={editButton}
          size="sm"
          variant="secondary"
          aria-label={label}
          onClick={() => setEditing(true)}
        >
          <Pencil aria-hidden />
          Edit
        </Button>
      ),
  }
}
