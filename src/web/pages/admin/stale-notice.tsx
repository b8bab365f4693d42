import { type ReactNode, useEffect, useRef } from 'react'
import { RelativeTime } from '../../features/stays/relative-time.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

type StaleNoticeProps = {
  title: string
  /** Who saved the newer version, and when. */
  saved?: { by: { name: string } | null; at: string | null }
  /** What the person can do; the first of several is the main choice. */
  choices: readonly { label: string; onChoose: () => void }[]
  busy?: boolean
  /** Moves the focus here when it appears: after a press on Save, not while somebody types. */
  takesFocus?: boolean
  children?: ReactNode
}

/** Says that somebody else has saved since this was opened. What was typed stays until the person chooses. */
export function StaleNotice({ title, saved, choices, busy, takesFocus, children }: StaleNoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  return (
    <Notice
      ref={box}
      tabIndex={-1}
      tone="warning"
      role="alert"
      title={title}
      className="[&_del]:no-underline [&>div]:grid [&>div]:grid-cols-1"
      action={
        <div className="flex flex-wrap gap-3 max-sm:*:grow">
          {choices.map(({ label, onChoose }, index) => (
            <Button
              key={label}
              size="sm"
              variant={index === 0 && choices.length > 1 ? 'primary' : 'secondary'}
              disabled={busy}
              onClick={onChoose}
            >
              {label}
            </Button>
          ))}
        </div>
      }
    >
      {saved?.by && saved.at && (
        <p>
          {saved.by.name}, <RelativeTime at={saved.at} />
        </p>
      )}
      {children}
    </Notice>
  )
}
