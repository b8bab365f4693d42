import type { Admin } from '../domain/accounts/access.ts'
import { linkAcceptanceForm } from '../domain/bookings/offer-form.ts'
import { acceptByLink } from '../server/applications/offers/accept.ts'
import { setStatus } from '../server/applications/set-status.ts'
import { createDeps } from '../server/create-deps.ts'
import { readConfig } from '../server/kernel/config.ts'
import { offerPerson } from './build-offer.ts'

// Separate process that a test starts on its database: approves each application whose id it receives, or
// accepts each offer whose token it receives.
const admin: Admin = {
  role: 'admin',
  userId: process.env.ADMIN_ID ?? '',
  requestOrigin: { address: '203.0.113.8', userAgent: 'Test Browser 1.0' },
}
const now = new Date(process.env.NOW ?? '')
const { deps } = await createDeps(readConfig(process.env), {
  clock: { now: () => now },
  mail: { send: async () => {} },
})
const given = { typedName: 'Anna Miller', totalCents: 200_000, person: offerPerson }
const guest = { role: 'guest', requestOrigin: admin.requestOrigin } as const
const book = (message: string) =>
  process.env.WAY === 'accept'
    ? acceptByLink(deps, guest, { token: message, ...linkAcceptanceForm.parse(given) })
    : setStatus(deps, admin, message, 'approved')
process.on('message', (message: string) => {
  book(message).then(
    () => process.send?.('approved'),
    (error: Error) => process.send?.(error.message),
  )
})
process.send?.('ready')
