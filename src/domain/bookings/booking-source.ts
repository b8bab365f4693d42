/** Who made a booking: the tenant on the site, the owner, or who accepted the owner's offer. */
export const bookingSources = ['tenant', 'owner', 'offer'] as const
export type BookingSource = (typeof bookingSources)[number]

export const bookingSourceLabels: Record<BookingSource, string> = {
  tenant: 'Applied on the site',
  owner: 'Entered by the owner',
  offer: 'Accepted offer',
}
