import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { events, outbox, reviews } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { pageReviews, shownReviewName } from '../../domain/arrival/guest-review.ts'
import { makeBooking, makePending } from '../../testing/build-application.ts'
import { changeEmail } from '../../testing/build-email-change.ts'
import { editorOf } from '../../testing/build-site.ts'
import { seed } from '../../testing/random.ts'
import { preparedSite, visitor } from '../../testing/test-app.ts'
import { createLink, issueToken } from '../auth/sessions/access-links.ts'
import { markRestored } from '../operations/backup/restored.ts'
import { decideReview, publishWaiting } from './reviews.ts'

const form = {
  rating: 4,
  title: 'Lovely',
  text: 'We loved the balcony and the sea.',
  name: 'initial' as const,
}
const prepared = preparedSite(async app => {
  const [owner, tenant] = [await app.makeAdmin(), await app.makeTenant({ email: 'maya@guest.example' })]
  const { id } = await makeBooking(app, tenant, owner)
  await app.as(owner).settings.reviews.save({ version: 0, body: { enabled: true } })
  return { owner, tenant, id }
})
/** A stay from June 1 to July 1 that has just ended, and the reviews as a visitor and the owner see them. */
async function site() {
  const { app, id, owner, tenant } = await prepared()
  app.setNow('2026-07-01T16:00:00.000Z')
  const [guest, admin] = [app.as(tenant).reviews, app.as(owner).reviews]
  const page = async () => {
    const answer = await app.as(visitor).site.content({ page: 'home' })
    if (answer.page !== 'home') throw new Error('another page')
    return answer.content.reviews
  }
  const switchOff = () => app.as(owner).settings.reviews.save({ version: 1, body: { enabled: false } })
  const write = (more = {}) => guest.write({ applicationId: id, ...form, ...more })
  return { app, id, owner, tenant, guest, admin, page, switchOff, write }
}
const days = (count: number) => count * 24 * 60 * 60_000
const mails = ({ deps }: Awaited<ReturnType<typeof site>>['app']) =>
  deps.db
    .select()
    .from(outbox)
    .where(eq(outbox.kind, 'review'))
    .all()
    .map(({ props }) => props.subject)

test('off, nothing is shown, written or published by itself, but withdrawing works and the page keeps its reviews [REVIEW-01]', async () => {
  const { admin, app, guest, id, page, switchOff, tenant, write } = await site()
  await write()
  await admin.publish({ applicationId: id })
  await switchOff()
  expect(await guest.get({ applicationId: id })).toEqual({ review: null, canWrite: false, until: null })
  await expect(write()).rejects.toThrow('Reviews are switched off here.')
  await expect(admin.hide({ applicationId: id, reason: 'untrue' })).rejects.toThrow(
    'Reviews are switched off here.',
  )
  const link = { kind: 'review', subjectId: id, personId: tenant.userId } as const
  const at = app.deps.clock.now().toISOString()
  const issued = await app.deps.write(tx => issueToken(tx, at, createLink(tx, at, link).id))
  await expect(app.as(visitor).reviews.open({ token: issued?.token ?? '' })).rejects.toThrow(
    'This link is no longer valid.',
  )
  expect((await page()).rating).toMatchObject({ count: 1 })
  await app.deps.write(tx => tx.update(reviews).set({ state: 'waiting' }).run())
  app.advance(days(20))
  await publishWaiting(app.deps)
  expect(app.deps.db.select().from(reviews).get()?.state).toBe('waiting')
  expect((await guest.withdraw({ applicationId: id })).review.state).toBe('withdrawn')
})

test('only the tenant of a booked stay writes, from the check-out time to 90 days after [REVIEW-02]', async () => {
  const { app, guest, id, owner, tenant, write } = await site()
  app.setNow('2026-07-01T13:59:00.000Z')
  await expect(write()).rejects.toThrow('Only guests who have stayed can write a review.')
  app.setNow('2026-07-01T14:00:00.000Z')
  expect(await guest.get({ applicationId: id })).toEqual({
    review: null,
    canWrite: true,
    until: '2026-09-29',
  })
  await expect(app.as(owner).reviews.write({ applicationId: id, ...form })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  const stranger = await app.makeTenant()
  await expect(app.as(stranger).reviews.write({ applicationId: id, ...form })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  const pending = await makePending(app, tenant, {
    requestedStartDate: '2026-08-01',
    requestedEndDate: '2026-08-08',
  })
  app.setNow('2026-09-30T16:00:00.000Z')
  await expect(guest.write({ applicationId: pending.id, ...form })).rejects.toThrow(
    'Only guests who have stayed',
  )
  await expect(write()).rejects.toThrow('The time to write a review ended on Sep 29, 2026.')
  expect((await guest.get({ applicationId: id })).canWrite).toBe(false)
})

test('a link that was mailed to a former address cannot write a review [REVIEW-05, SAFE-27]', async () => {
  const { app, id, tenant } = await site()
  const link = { kind: 'review', subjectId: id, personId: tenant.userId } as const
  const at = app.deps.clock.now().toISOString()
  const token = (await app.deps.write(tx => issueToken(tx, at, createLink(tx, at, link).id)))?.token ?? ''
  const byLink = app.as(visitor).reviews
  expect(await byLink.open({ token })).toMatchObject({ canWrite: true })
  await changeEmail(app, tenant, 'maya@new.example')
  await expect(byLink.writeByLink({ token, ...form })).rejects.toThrow('This link is no longer valid.')
  expect(app.deps.db.select().from(reviews).all()).toEqual([])
})

test('a link writes as often a day as an account: each change stays in the audit log [REVIEW-05]', async () => {
  const { app, id, tenant } = await site()
  const link = { kind: 'review', subjectId: id, personId: tenant.userId } as const
  const at = app.deps.clock.now().toISOString()
  const token = (await app.deps.write(tx => issueToken(tx, at, createLink(tx, at, link).id)))?.token ?? ''
  const change = async (time: number) => {
    const requestOrigin = { address: `203.0.113.${time % 250}`, userAgent: '' }
    const before = time === 0 ? {} : { version: time }
    return app.as({ role: 'guest', requestOrigin }).reviews.writeByLink({ token, ...form, ...before })
  }
  for (let time = 0; time < 300; time++) await change(time)
  await expect(change(300)).rejects.toMatchObject({ cause: { code: 'too_many' } })
})

test('the form is checked and cleaned, and a stay has one review, also at once and by link [REVIEW-03, REVIEW-05]', async () => {
  const { app, guest, id, tenant, write } = await site()
  for (const wrong of [
    { rating: 0 },
    { rating: 4.5 },
    { rating: 6 },
    { title: 'x'.repeat(81) },
    { text: ` ${'x'.repeat(19)} ` },
    { text: 'x'.repeat(1501) },
    { name: 'all' },
  ])
    await expect(write(wrong)).rejects.toMatchObject({ cause: { issues: [{ path: Object.keys(wrong) }] } })
  const at = app.deps.clock.now().toISOString()
  const link = { kind: 'review', subjectId: id, personId: tenant.userId } as const
  const token = (await app.deps.write(tx => issueToken(tx, at, createLink(tx, at, link).id)))?.token ?? ''
  const byLink = app.as(visitor).reviews
  const opened = await byLink.open({ token })
  expect(opened).toMatchObject({ stay: { firstName: 'Maya' }, review: null, canWrite: true })
  expect(app.deps.db.select().from(reviews).all()).toEqual([])
  const both = await Promise.allSettled([
    byLink.writeByLink({ token, ...form, text: `${form.text}\u202e </script>` }),
    write(),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(write()).rejects.toThrow('You have written a review already.')
  await expect(byLink.open({ token: 'unknown' })).rejects.toThrow('This link is no longer valid.')
  const { review } = await guest.get({ applicationId: id })
  const changed = await byLink.writeByLink({ token, ...form, rating: 5, version: review?.version ?? 0 })
  expect(changed.review).toMatchObject({ rating: 5, shownName: 'Maya R.' })
  expect(shownReviewName('first', { firstName: 'Maya', lastName: 'R' })).toBe('Maya')
  expect(shownReviewName('none', { firstName: 'Maya', lastName: 'R' })).toBe('A guest')
})

test('a review changes with its version until it is published and at most 14 days, and withdrawing is final [REVIEW-04]', async () => {
  const { admin, app, guest, id, write } = await site()
  await write()
  const change = (version: number) => guest.change({ applicationId: id, ...form, rating: 2, version })
  expect((await change(1)).review).toMatchObject({ rating: 2, version: 2, editedAt: expect.any(String) })
  await expect(change(1)).rejects.toThrow('This review was changed meanwhile.')
  app.advance(days(14))
  await expect(change(2)).rejects.toThrow('This review can no longer be changed.')
  await admin.publish({ applicationId: id })
  await expect(change(3)).rejects.toThrow('This review can no longer be changed.')
  const { review } = await guest.withdraw({ applicationId: id })
  expect((await guest.withdraw({ applicationId: id })).review).toEqual(review)
  await expect(admin.publish({ applicationId: id })).rejects.toThrow('The guest has withdrawn this review.')
  await expect(write()).rejects.toThrow('already')
})

test('the owner is mailed once, and what waits for 14 days publishes itself, unless the clock is wrong [REVIEW-06]', async () => {
  const { app, owner, page, write } = await site()
  await write()
  expect((await app.as(owner).notices.ownerDay()).tasks).toContainEqual(
    expect.objectContaining({ title: 'Maya Rivers wrote a review', kind: 'review' }),
  )
  expect(mails(app)).toEqual(['New review: 4 of 5 from Maya Rivers'])
  app.advance(days(14) - 1)
  await publishWaiting(app.deps)
  expect((await page()).rating).toBeUndefined()
  app.advance(1)
  const ahead = new Date(app.deps.clock.now().getTime() + days(3)).toISOString()
  await app.deps.write(tx =>
    tx.insert(events).values({ at: ahead, kind: 'x', subjectId: 'x', actorRole: 'system', detail: {} }).run(),
  )
  await publishWaiting(app.deps)
  expect((await page()).rating).toBeUndefined()
  await app.deps.write(tx => tx.delete(events).where(eq(events.kind, 'x')).run())
  await publishWaiting(app.deps)
  expect((await page()).reviews).toMatchObject([{ name: 'Maya R.', content: form.text }])
})

test('for a day after a restore no review publishes itself, as it may be withdrawn or hidden [REVIEW-06, INST-42]', async () => {
  const { app, page, write } = await site()
  await write()
  app.advance(days(14))
  const now = app.deps.clock.now()
  markRestored(app.deps.config.databaseFile, now.toISOString(), now)
  app.advance(days(1) - 1)
  await publishWaiting(app.deps)
  expect((await page()).rating).toBeUndefined()
  app.advance(1)
  await publishWaiting(app.deps)
  expect((await page()).reviews).toMatchObject([{ content: form.text }])
})

test('a decision is about the words that the owner has read, and changed ones wait for another 14 days [REVIEW-06]', async () => {
  const { admin, app, guest, id, page, write } = await site()
  await write()
  app.advance(days(13))
  const text = 'It was loud, and the beds were too small for us.'
  for (const version of [1, 2]) await guest.change({ applicationId: id, ...form, rating: 2, text, version })
  expect(mails(app)).toEqual([
    'New review: 4 of 5 from Maya Rivers',
    'Changed review: 2 of 5 from Maya Rivers',
  ])
  const stale = 'This review was changed meanwhile.'
  await expect(admin.publish({ applicationId: id, version: 1 })).rejects.toThrow(stale)
  await expect(admin.hide({ applicationId: id, reason: 'untrue', version: 1 })).rejects.toThrow(stale)
  app.advance(days(14) - 1)
  await publishWaiting(app.deps)
  expect((await page()).rating).toBeUndefined()
  const { reviews: list } = await admin.adminAll()
  app.advance(1)
  expect(list).toMatchObject([{ version: 3, publishesAt: app.deps.clock.now().toISOString() }])
  await publishWaiting(app.deps)
  expect((await page()).reviews).toMatchObject([{ content: text }])
  const hidden = await admin.hide({ applicationId: id, reason: 'untrue', version: 4 })
  expect((await admin.hide({ applicationId: id, reason: 'untrue', version: 4 })).review).toEqual(
    hidden.review,
  )
})

test('a review with a live code is taken from the guest, but stands in no mail and is not published until the code is another [REVIEW-06, STAY-18]', async () => {
  const { admin, app, id, owner, page, write } = await site()
  const lockId = randomUUID()
  const locks = [{ id: lockId, name: 'Garage', kind: 'standing', digits: 4, hint: '' }]
  await app.as(owner).stays.saveSection({ section: 'entry', version: 0, body: { text: '', locks } })
  await app.as(owner).stays.changeCode({ lockId, code: '7391' })
  await write({ title: 'Garage 7391', text: 'The garage opens with 7391, so easy!' })
  expect(
    app.deps.db
      .select()
      .from(outbox)
      .all()
      .map(({ props }) => props.quote),
  ).toContain('Please read it on the site.')
  expect(JSON.stringify(app.deps.db.select().from(outbox).all())).not.toContain('7391')
  expect((await admin.adminAll()).reviews).toMatchObject([{ publishesAt: null }])
  app.advance(days(15))
  await publishWaiting(app.deps)
  await expect(admin.publish({ applicationId: id, version: 1 })).rejects.toThrow(
    'This review has a code or the Wi-Fi password. Please change that first, or hide the review.',
  )
  expect((await page()).rating).toBeUndefined()
  await app.as(owner).stays.changeCode({ lockId, code: '4826' })
  await admin.publish({ applicationId: id, version: 1 })
  expect((await page()).reviews).toMatchObject([{ title: 'Garage 7391' }])
})

test('while codes cannot be decrypted, no review is quoted in a mail or published by itself [REVIEW-06, STAY-18, STAY-23]', async () => {
  const { admin, app, id, owner, page, write } = await site()
  const lockId = randomUUID()
  const locks = [{ id: lockId, name: 'Garage', kind: 'standing', digits: 4, hint: '' }]
  await app.as(owner).stays.saveSection({ section: 'entry', version: 0, body: { text: '', locks } })
  await app.as(owner).stays.changeCode({ lockId, code: '7391' })
  app.deps.key = { state: 'damaged' } as never
  await write({ title: 'Lovely', text: 'The garage opens with 7391, so easy!' })
  expect(JSON.stringify(app.deps.db.select().from(outbox).all())).not.toContain('7391')
  expect((await admin.adminAll()).reviews).toMatchObject([{ publishesAt: null }])
  app.advance(days(15))
  await publishWaiting(app.deps)
  expect((await page()).rating).toBeUndefined()
  await admin.publish({ applicationId: id, version: 1 })
  expect((await page()).reviews).toMatchObject([{ title: 'Lovely' }])
})

test('hiding needs a reason, which is mailed once, and a reply needs a step-up and can be changed for 14 days [REVIEW-07, REVIEW-09, FIX-32]', async () => {
  const { admin, app, id, owner, page, write } = await site()
  await write()
  const applicationId = id
  await expect(admin.hide({ applicationId, reason: 'rude' as never })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  await expect(admin.reply({ applicationId, text: 'Thanks' })).rejects.toThrow(
    'Please publish the review first.',
  )
  for (const reason of ['private', 'untrue'] as const) await admin.hide({ applicationId, reason })
  await admin.publish({ applicationId })
  await admin.hide({ applicationId, reason: 'untrue' })
  await admin.publish({ applicationId })
  const unproven = decideReview(app.deps, owner as Admin, id, { reply: 'Thanks' })
  await expect(unproven).rejects.toMatchObject({ code: 'forbidden' })
  for (const text of ['Thanks', 'Thank you']) await admin.reply({ applicationId, text })
  await expect(admin.reply({ applicationId, text: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect((await page()).reviews[0]?.reply).toEqual({ text: 'Thank you' })
  app.advance(days(14))
  await expect(admin.reply({ applicationId, text: 'Later' })).rejects.toThrow(
    'This reply can no longer be changed.',
  )
  expect((await admin.reply({ applicationId, text: null })).review.reply).toBeNull()
  expect(mails(app).slice(1)).toEqual(['Your review is not shown', 'A reply to your review'])
})

test('a decision races with withdrawing: the review ends withdrawn, and the page without it [REVIEW-04, REVIEW-13]', async () => {
  const { admin, guest, id, page, write } = await site()
  await write()
  await Promise.allSettled([admin.publish({ applicationId: id }), guest.withdraw({ applicationId: id })])
  expect((await guest.get({ applicationId: id })).review?.state).toBe('withdrawn')
  expect((await page()).rating).toBeUndefined()
})

test('the page shows decisions on the next request, and nothing private [REVIEW-10, REVIEW-12, REVIEW-13, REVIEW-14]', async () => {
  const { admin, app, id, write } = await site()
  const url = await app.listen()
  const get = async (path: string) => {
    const response = await fetch(url + path)
    return { etag: response.headers.get('etag'), body: await response.text() }
  }
  const before = await get('/api/site/content?page=home')
  expect(before.body).not.toContain('"reply"')
  await write({ text: 'The balcony was great. </script><script>alert(1)</script>' })
  await admin.publish({ applicationId: id })
  const after = await get('/api/site/content?page=home')
  expect(after.etag).not.toBe(before.etag)
  const { reviews: shown } = JSON.parse(after.body).content
  expect(shown).toMatchObject({
    rating: { average: 4, count: 1, notShown: 0 },
    reviews: [{ name: 'Maya R.', verified: true, sample: false, stayed: 'July 2026', reply: null }],
  })
  for (const secret of [id, 'Rivers', 'APP-2026', 'maya@guest.example'])
    expect(after.body).not.toContain(secret)
})

test('the first publication ends samples for ever, also when its booking is deleted, and they no longer stop publishing [REVIEW-11]', async () => {
  const { admin, app, guest, id, owner, page, write } = await site()
  expect((await page()).reviews.some(({ sample }) => sample)).toBe(true)
  await write()
  await admin.publish({ applicationId: id })
  await guest.withdraw({ applicationId: id })
  expect((await page()).reviews).toEqual([])
  await app.as(owner).applications.adminDelete({ id })
  expect((await page()).reviews).toEqual([])
  app.deps.config.mode = 'production'
  expect((await editorOf(app.as(owner)).draft()).faults).not.toHaveProperty('reviews.reviews')
})

test('average and count are those of all that are not withdrawn, whatever was written and decided [REVIEW-08, REVIEW-10, REVIEW-11, REVIEW-12]', () => {
  const guest = fc.record({
    rating: fc.integer({ min: 1, max: 5 }),
    state: fc.constantFrom('waiting', 'published', 'hidden', 'withdrawn'),
    wasPublished: fc.boolean(),
    hasOwn: fc.boolean(),
  })
  const own = fc.record({ rating: fc.integer({ min: 1, max: 5 }), sample: fc.boolean() })
  fc.assert(
    fc.property(fc.array(guest, { maxLength: 60 }), fc.array(own, { maxLength: 8 }), (guests, others) => {
      const rows = guests.map(({ rating, state }, at) => ({
        applicationId: `a${at}`,
        id: `${at}`,
        rating,
        state,
        name: 'Maya',
        title: '',
        text: 'x',
        reply: null,
        endDate: '2026-07-01',
        date: '2026-07-02',
      }))
      const owns = [
        ...others.map(each => ({ ...each, applicationId: null, date: '2025-01-01' })),
        ...guests.flatMap(({ hasOwn }, at) =>
          hasOwn ? [{ applicationId: `a${at}`, rating: 1, sample: false, date: '2025-01-01' }] : [],
        ),
      ]
      const ended = guests.some(({ state, wasPublished }) => state === 'published' || wasPublished)
      const { rating, reviews } = pageReviews(rows, owns, ended)
      const counts = rows.filter(({ state }) => state === 'published' || state === 'hidden')
      const standing = owns.filter(
        ({ applicationId, sample }) => !sample && !counts.some(row => row.applicationId === applicationId),
      )
      const all = [...counts, ...standing].map(each => each.rating)
      if (ended) expect(reviews.some(({ sample }) => sample)).toBe(false)
      if (counts.length === 0) {
        expect(rating).toBeUndefined()
        return
      }
      const shown = reviews.filter(({ sample }) => !sample).length
      expect(rating?.count).toBe(all.length)
      expect(rating?.average).toBeCloseTo(all.reduce((sum, one) => sum + one, 0) / all.length, 0)
      expect(rating?.notShown).toBe(all.length - shown)
      expect(reviews.length).toBeLessThanOrEqual(30)
    }),
    { seed, numRuns: 300 },
  )
})
