import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../ui/button.tsx'

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
