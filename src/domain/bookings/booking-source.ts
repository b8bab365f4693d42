/** Who made a booking: the tenant on the site, or the owner. */
export const bookingSources = ['tenant', 'owner'] as const
export type BookingSource = (typeof bookingSources)[number]

export const bookingSourceLabels: Record<BookingSource, string> = {
  tenant: 'Applied on the site',
  owner: 'Entered by the owner',
}
