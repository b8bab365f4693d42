// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  appOfFile,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  press,
  recordInputs,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
const inHours = (hours: number) =>
  new Date(site.app.deps.clock.now().getTime() + hours * 3_600_000).toISOString()

test('an offer that ends within two days says so in the color of a warning, and one that was accepted in a badge', async () => {
  const claim = (id: string, rest: object) => ({
    ...{ id, kind: 'offer', state: 'open', firstName: id, lastName: '', applicationId: null },
    ...{ startDate: '2026-10-01', endDate: '2026-10-08', nights: 7, totalCents: 700_00, depositCents: 0 },
    ...{ acceptedApplicationId: null, openedAt: null, endedAs: null, endedAt: null, lapses: true },
    ...{ missing: [], overlapping: [], ...rest },
  })
  changeAnswer('offers.adminList', data => {
    data.claims = [
      claim('Soon', { until: inHours(47) }),
      claim('Later', { until: inHours(49) }),
      claim('Taken', { until: inHours(72), state: 'accepted', acceptedApplicationId: 'a' }),
    ]
  })
  await openScreen(site.app, '/admin/offers', await site.app.makeAdmin())
  const rows = within(await screen.findByRole('region', { name: 'Open' })).getAllByRole('listitem')
  expect(rows.map(row => row.querySelector('.text-yellow') !== null)).toEqual([true, false, false])
  expect(rows.map(row => within(row).queryByText('Accepted') !== null)).toEqual([false, false, true])
})

test('the price of an offer is not asked for once more after it is sent', async () => {
  await openScreen(site.app, '/admin/offers?for=new', await site.app.makeAdmin())
  await screen.findByRole('dialog')
  const previews = recordInputs('offers.preview')
  onCall('offers.make', async () => Response.json([{ result: { data: { claim: {}, warnings: [] } } }]))
  fill({ Arrival: '2026-10-01', Departure: '2026-10-08', 'First name': 'Grace', 'Last name': 'Hollis' })
  fill({ Email: 'grace@guest.example', 'Rent for the stay': '900' })
  await waitFor(() => expect(previews.length).toBeGreaterThan(1), { timeout: 5000 })
  await new Promise(resolve => setTimeout(resolve, 1000))
  const asked = previews.length
  await press('Send Offer')
  await says('Offer sent')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(previews).toHaveLength(asked)
})
