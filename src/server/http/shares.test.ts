import { expect, test } from 'vitest'
import { createFairShares } from './shares.ts'

/** Enters with an address and a person; lists those that were dropped, in order. */
function sharesOf(shares: Parameters<typeof createFairShares>[0]) {
  const enter = createFairShares(shares)
  const gone: string[] = []
  const come = (address: string, options: Parameters<typeof enter>[1] = {}) => {
    const name = `${options.person ?? address}`
    return enter(address, { giveWay: () => void gone.push(name), ...options })
  }
  return { come, gone }
}

test('in a full share the network with the most loses an entry, of its most active person first, to somebody with fewer', () => {
  const { come, gone } = sharesOf({ ofOne: 3, ofNetwork: 5, ofAll: 8 })
  const many = ['a', 'b', 'b', 'b', 'a'].map((person, n) => come(`2001:db8:7:${n}::1`, { person }))
  for (let n = 0; n < 3; n++) come(`10.0.0.${n}`)
  expect(come('10.0.0.9').leave).toBeDefined()
  expect(gone).toEqual(['b'])
  // Four each.
  expect(come('10.0.0.8')).toEqual({ full: 'ofAll' })
  expect(come('10.0.1.1').leave).toBeDefined()
  expect(come('10.0.2.1').leave).toBeDefined()
  expect(gone).toEqual(['b', 'a', '10.0.0.0'])
  for (const { leave } of many) leave?.()
  for (let n = 0; n < 3; n++) expect(come(`10.0.3.${n}`).leave).toBeDefined()
  expect(gone).toHaveLength(3)
})

test('nobody loses an entry to somebody who would then have as many, and busy entries stay', () => {
  const { come, gone } = sharesOf({ ofOne: 5, ofAll: 3 })
  for (const address of ['10.0.0.1', '10.0.1.1', '10.0.2.1']) come(address)
  expect(come('10.0.3.1')).toEqual({ full: 'ofAll' })
  const busy = sharesOf({ ofOne: 5, ofAll: 3 })
  for (let n = 0; n < 3; n++) busy.come('10.0.0.1', { isBusy: () => true })
  expect(busy.come('10.0.3.1')).toEqual({ full: 'ofAll' })
  const fixed = createFairShares({ ofOne: 5, ofAll: 3 })
  for (let n = 0; n < 3; n++) fixed('10.0.0.1')
  expect(fixed('10.0.3.1')).toEqual({ full: 'ofAll' })
  expect([...gone, ...busy.gone]).toEqual([])
})

test('whoever has more loses an entry first, then a stuck entry goes, even to somebody with as many, unless it is busy', () => {
  const { come, gone } = sharesOf({ ofOne: 3, ofAll: 4 })
  const isStuck = () => true
  come('10.0.0.1', { isStuck, isBusy: () => true })
  come('10.0.1.1', { isStuck })
  for (let n = 0; n < 2; n++) come('10.0.2.1')
  for (const n of [3, 4]) expect(come(`10.0.${n}.1`).leave).toBeDefined()
  expect(gone).toEqual(['10.0.2.1', '10.0.1.1'])
  expect(come('10.0.5.1')).toEqual({ full: 'ofAll' })
})

test('people without a booking share one part, and only displace each other', () => {
  const { come, gone } = sharesOf({ ofOne: 3, ofNetwork: 3, ofUnbooked: 4, ofAll: 10 })
  for (let n = 0; n < 3; n++) come('10.0.0.1', { person: 'booked' })
  for (let n = 0; n < 4; n++) come(`10.0.${1 + (n % 2)}.1`, { person: `unbooked ${n % 2}`, isBooked: false })
  expect(come('10.0.1.2', { person: 'unbooked 1', isBooked: false })).toEqual({ full: 'ofUnbooked' })
  expect(come('10.0.3.1', { person: 'new', isBooked: false }).leave).toBeDefined()
  expect(gone).toEqual(['unbooked 0'])
  for (let n = 0; n < 3; n++) expect(come(`10.0.4.${n}`).leave).toBeDefined()
  expect(gone).toHaveLength(1)
})
