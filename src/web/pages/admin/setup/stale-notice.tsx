import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

type StaleNoticeProps = {
  /** The message of the refused save, with the name of the person who saved first. */
  message?: string | undefined
  onLoad: () => void
}

/**
 * Reports that somebody else has saved the section since it was opened. The typed values stay until the person replaces
 * them.
 */
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
