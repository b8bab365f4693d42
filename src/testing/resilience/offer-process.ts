import { linkAcceptanceForm, offerForm } from '../../domain/bookings/offer-form.ts'
import { acceptByLink } from '../../server/applications/offers/accept.ts'
import { makeOffer } from '../../server/applications/offers/make-offer.ts'
import { askNow } from '../../server/applications/offers/promise.ts'
import { tickOffers } from '../../server/applications/offers/tick.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { connectProvider } from '../../server/money/payments/stripe.ts'
import { buildOffer, offerPerson } from '../build-offer.ts'

// One step of an offer on an existing store; killed at the point in FAILPOINT.
const [action = '', userId = '', sessionId = '', id = ''] = process.argv.slice(2)
const now = new Date(process.env.NOW ?? '')
const provider = connectProvider(process.env.PROVIDER_URL, 'sk_test_of_the_tests', 'whsec_of_the_tests')
const { deps, close } = await createDeps(readConfig(process.env), {
  clock: { now: () => now },
  mail: { send: async () => {} },
  provider,
})
const requestOrigin = { address: '203.0.113.9', userAgent: 'Test Browser 1.0' }
const owner = { role: 'admin', userId, sessionId, requestOrigin } as const
const steps: Record<string, () => Promise<unknown>> = {
  make: () => makeOffer(deps, owner, offerForm.parse({ ...buildOffer(), requestId: id })),
  accept: () =>
    acceptByLink(
      deps,
      { role: 'guest', requestOrigin },
      {
        token: id,
        ...linkAcceptanceForm.parse({ typedName: 'Anna Miller', totalCents: 200_000, person: offerPerson }),
      },
    ),
  ask: () => askNow(deps, owner, id),
  tick: () => tickOffers(deps),
}
await steps[action]?.()
close()
