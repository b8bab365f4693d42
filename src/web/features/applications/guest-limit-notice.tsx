import { maxGuestsMessage } from '../../../domain/common/guest-limit.ts'
import { useGuestLimit } from '../../api/site.ts'
import { Notice } from '../../ui/notice.tsx'

type GuestLimitNoticeProps = {
  id: string
  /** The number of people with a name so far. */
  count: number
  /** The limit: how many the condo sleeps, or how many were saved before there was a limit. */
  allowed: number
  /** The owner's own limit, if it is lower. */
  maxGuests?: number | undefined
}

/** Explains why no guest can be added, or that there are too many guests. */
export function GuestLimitNotice({ id, count, allowed, maxGuests }: GuestLimitNoticeProps) {
  const guestLimit = useGuestLimit()
  const limit =
    maxGuests === undefined ? `The condo sleeps ${guestLimit}` : maxGuestsMessage(maxGuests).slice(0, -1)
  return (
    <div id={id} role="status" className="contents">
      {count > allowed ? (
        <Notice tone="warning" title={limit}>
          You have named {count} people, applicants included. Please name at most {allowed}.
        </Notice>
      ) : (
        count === allowed && (
          <p className="text-[0.9375rem] text-muted">{limit}, so no more guests can be added.</p>
        )
      )}
    </div>
  )
}
