import { Button } from '../ui/button.tsx'

/** The buttons below a form in the page. */
export function FormActions({ busy, onCancel }: { busy: boolean; onCancel: () => void }) {
  return (
    <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
      <Button variant="secondary" className="max-sm:grow" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" className="max-sm:grow" busy={busy} busyLabel="Saving...">
        Save
      </Button>
    </div>
  )
}
