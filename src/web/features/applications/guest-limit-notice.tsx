import { guestLimit } from '../../../domain/guest-limit.ts'
import { Notice } from '../../ui/notice.tsx'

type GuestLimitNoticeProps = {
  id: string
  /** The people who are named. */
  count: number
  /** How many may be named: what the condo sleeps, or as many as were named before there was a limit. */
  allowed: number
}

/** Says why no guest can be added, and that too many are named before the form is sent. */
export function GuestLimitNotice({ id, count, allowed }: GuestLimitNoticeProps) {
  return (
    <div id={id} role="status" className="contents">
      {count > allowed ? (
        <Notice tone="warning" title={`The condo sleeps ${guestLimit}`}>
          You have named {count} people, applicants included. Please name {allowed} at most.
        </Notice>
      ) : (
        count === allowed && (
          <p className="text-[0.9375rem] text-muted">
            The condo sleeps {guestLimit}, so no more guests can be added.
          </p>
        )
      )}
    </div>
  )
}
