import { RefreshCw } from 'lucide-react'
import { api } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { type CalendarFeed, toastReading, useInvalidateCalendars } from './calendar-data.ts'

/** Reads a calendar immediately, which takes up to ten seconds, and shows the result. */
export function ReadNowButton({ feed }: { feed: CalendarFeed }) {
  const invalidate = useInvalidateCalendars()
  const read = api.calendars.readNow.useMutation({
    onSuccess: ({ feed, result }) => toastReading(feed, result),
    onError: error => void toastFailure(error, `Failed to read ${feed.name}`),
    onSettled: invalidate,
  })
  return (
    <BusyButton
      size="sm"
      variant="secondary"
      busy={read.isPending}
      busyLabel="Reading..."
      onClick={() => read.mutate({ id: feed.id })}
    >
      <RefreshCw aria-hidden />
      Read now
      <span className="sr-only"> {feed.name}</span>
    </BusyButton>
  )
}
