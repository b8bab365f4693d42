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
