import { Badge } from '../../ui/badge.tsx'

export type ListedGuest = { firstName: string; lastName: string; isAdult: boolean }

/** The additional guests, or a note that there are none. */
export function GuestsList({ guests }: { guests: readonly ListedGuest[] }) {
  if (guests.length === 0) return <p className="text-muted">No additional guests.</p>
  const numbered = guests.map((guest, index) => ({ ...guest, number: index + 1 }))
  return (
    <ul className="divide-y divide-line">
      {numbered.map(guest => (
        <li
          key={guest.number}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0"
        >
          <div className="min-w-0">
            <span className="block text-[0.9375rem] text-muted">Guest {guest.number}</span>
            <span className="font-semibold wrap-anywhere text-navy">
              {guest.firstName} {guest.lastName}
            </span>
          </div>
          <Badge tone={guest.isAdult ? 'blue' : 'neutral'}>{guest.isAdult ? 'Adult (18+)' : 'Minor'}</Badge>
        </li>
      ))}
    </ul>
  )
}
