import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

type StaleNoticeProps = {
  /** The refusal of a save, with the name of who saved meanwhile. */
  message?: string | undefined
  onLoad: () => void
}

/** Says that somebody else has saved a section since it was opened; what is entered stays until it is replaced. */
export function StaleNotice({ message, onLoad }: StaleNoticeProps) {
  return (
    <Notice
      tone="warning"
      role="alert"
      title="These settings have changed"
      action={
        <Button variant="secondary" size="sm" onClick={onLoad}>
          Load Saved Settings
        </Button>
      }
    >
      {message ?? 'Somebody else has saved them since you opened them.'} Loading replaces what you have
      entered here.
    </Notice>
  )
}
