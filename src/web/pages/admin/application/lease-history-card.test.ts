import { expect, test } from 'vitest'
import { detailPairs, type LeaseEvent, latestEvents } from './lease-history-card.tsx'

const event = (
  kind: string,
  actorRole: LeaseEvent['actorRole'],
  more: Partial<LeaseEvent> = {},
): LeaseEvent => ({
  _id: kind,
  id: kind,
  at: '2026-11-22T12:00:00.000Z',
  kind,
  label: kind,
  actorRole,
  actorName: null,
  address: null,
  userAgent: null,
  detail: {},
  ...more,
})

test('the first events leave out what the owner viewed, and include what the tenant viewed [LOOK-29]', () => {
  const newestFirst = [
    event('lease.signed_viewed', 'admin'),
    event('lease.viewed', 'admin'),
    event('lease.downloaded', 'admin'),
    event('lease.viewed', 'tenant'),
    event('lease.signed', 'tenant'),
    event('lease.generated', 'admin'),
  ]
  const kinds = (count: number) => latestEvents(newestFirst, count).map(({ kind }) => kind)
  expect(kinds(2)).toEqual(['lease.viewed', 'lease.signed'])
  expect(kinds(4)).toEqual(['lease.viewed', 'lease.signed', 'lease.generated'])
})

test('details leave out row ids under any name [LOOK-29]', () => {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const detail = {
    chargeId: id,
    fileId: id,
    instalmentId: id,
    anything: id,
    reason: 'A gift',
    amountCents: 2500,
  }
  expect(detailPairs(event('plan.waived', 'admin', { detail, address: '192.0.2.7' }))).toEqual([
    ['Amount', '$25.00'],
    ['Reason', 'A gift'],
    ['From address', '192.0.2.7'],
  ])
})
