import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applications } from '../../../db/schema.ts'
import { type ApplicationSort, applicationSorts } from '../../domain/bookings/application-query.ts'
import { submittedStatuses } from '../../domain/bookings/application-status.ts'
import { firstNames, lastNames } from '../../testing/bench/names.ts'
import { makePending } from '../../testing/build-application.ts'
import { testApp } from '../../testing/test-app.ts'
import type { AdminApplicationView } from '../bookings/views.ts'
import { createLimits } from '../kernel/limits.ts'
import { createRandom } from '../operations/demo/seed-runtime.ts'

const many = 120
const digitsOf = (phone: string) => phone.replace(/[\s\-()]/g, '')

/** Some hundred applications with few names, in all statuses, with shared amounts and times. */
async function manyApplications() {
  const app = await testApp({ replace: { limits: createLimits(false) } })
  const random = createRandom(7)
  const names = { firstName: ['Özlem', 'ana', 'Ana Maria', ...firstNames.slice(0, 12)], lastName: lastNames }
  const made: { id: string; first: string }[] = []
  for (let i = 0; i < many; i++) {
    const [first, last] = [random.pick(names.firstName), random.pick(names.lastName)]
    const phone = `${200 + random.below(9)}-555-${1000 + random.below(9000)}`
    const form = {
      firstName: first,
      lastName: last,
      phone: random.below(2) ? phone : `+1 ${digitsOf(phone)}`,
    }
    made.push({ id: (await makePending(app, await app.makeTenant(), form)).id, first })
    if (random.below(3) > 0) app.advance(60_000)
  }
  await app.deps.write(tx => {
    for (const { id, first } of made) {
      const name = first.toLowerCase().replace(' ', '')
      tx.update(applications)
        .set({
          status: random.pick(submittedStatuses),
          email: `${name}${random.below(40)}@${random.pick(['guest', 'mail'])}.example`,
          totalCents: random.below(5) * 100_00,
        })
        .where(eq(applications.id, id))
        .run()
    }
  })
  const asOwner = app.as(await app.makeAdmin()).applications
  return { asOwner, all: (await asOwner.adminList({ order: 'asc' })).applications }
}

/**
 * The expected matches by a linear scan: text anywhere in a field, and the bare digits of a search that looks like a
 * phone number.
 */
function finds(search: string, row: AdminApplicationView): boolean {
  const text = search.toLowerCase()
  const fields = [
    `${row.firstName} ${row.lastName}`,
    row.lastName,
    row.email,
    row.applicationNumber,
    row.phone,
    digitsOf(row.phone),
  ].map(field => field.toLowerCase())
  const digits = digitsOf(text).replace(/^\+1(?=\d{10}$)/, '')
  if (/^\+?\d{3,}$/.test(digits) && fields.some(field => field.includes(digits))) return true
  return fields.some(field => field.includes(text))
}

const keys: Record<
  Exclude<ApplicationSort, 'upcoming'>,
  (row: AdminApplicationView) => (string | number)[]
> = {
  createdAt: row => [row.createdAt],
  firstName: row => [row.firstName.replace(/[A-Z]/g, letter => letter.toLowerCase())],
  status: row => [row.status, row.createdAt],
  totalAmount: row => [row.totalAmount],
}

/** Ties are sorted by insertion order. */
function sorted(rows: AdminApplicationView[], sort: ApplicationSort, order: 'asc' | 'desc') {
  if (sort === 'upcoming') return upcomingFirst(rows)
  const ranked = rows.map((row, index) => ({ row, key: [...keys[sort](row), index] }))
  ranked.sort((a, b) => {
    const at = a.key.findIndex((part, i) => part !== b.key[i])
    return (a.key[at] ?? 0) < (b.key[at] ?? 0) ? -1 : 1
  })
  if (order === 'desc') ranked.reverse()
  return ranked.map(({ row }) => row)
}

function upcomingFirst(rows: AdminApplicationView[]) {
  const start = (row: AdminApplicationView) => row.leaseStartDate ?? row.requestedStartDate
  const isOver = (row: AdminApplicationView) =>
    row.status === 'rejected' ||
    row.status === 'cancelled' ||
    (row.leaseEndDate ?? row.requestedEndDate) <= '2026-03-04'
  const byStart = rows.toReversed().toSorted((a, b) => start(a).localeCompare(start(b)))
  const over = rows.toReversed().toSorted((a, b) => start(b).localeCompare(start(a)))
  return [...byStart.filter(row => !isOver(row)), ...over.filter(isOver)]
}

test('a search returns the same as a linear scan, in every order, status and page [ADMDASH-03, ADMDASH-05, ADMDASH-06, ADMDASH-07, LOOK-83]', async () => {
  const { asOwner, all } = await manyApplications()
  /** A substring of some application's fields, in upper or lower case; sometimes one that matches nothing. */
  const search = fc
    .tuple(fc.nat(many - 1), fc.nat(5), fc.nat(40), fc.integer({ min: 1, max: 30 }), fc.nat(9))
    .map(([at, field, from, length, twist]) => {
      const row = all[at % all.length]
      if (!row) return ''
      const texts = [
        `${row.firstName} ${row.lastName}`,
        row.email,
        row.applicationNumber,
        row.phone,
        digitsOf(row.phone),
      ]
      const text = texts[field % texts.length] ?? ''
      const start = from % text.length
      const piece = text.slice(twist < 3 ? 0 : start, twist < 3 ? length : start + length).trim()
      return twist === 9 ? `${piece}q` : twist % 2 === 0 ? piece.toUpperCase() : piece
    })
    .filter(text => text !== '')
  const query = fc.record({
    search,
    status: fc.option(fc.constantFrom(...submittedStatuses), { nil: undefined }),
    sort: fc.constantFrom(...applicationSorts),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 40 }),
    page: fc.integer({ min: 1, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(query, async asked => {
      const { limit, order, page, sort, status } = asked
      const found = all.filter(row => finds(asked.search, row) && (!status || row.status === status))
      const expected = sorted(found, sort, order).map(row => row.id)
      const answer = await asOwner.adminList(asked)
      expect(answer.applications.map(row => row.id)).toEqual(expected.slice((page - 1) * limit, page * limit))
      expect([answer.total, answer.hasMore]).toEqual([expected.length, false])
      const { page: _, ...whole } = asked
      expect((await asOwner.adminList(whole)).applications.map(row => row.id)).toEqual(expected)
    }),
    { numRuns: 150, seed: 7 },
  )
})
