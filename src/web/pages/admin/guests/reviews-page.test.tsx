// @vitest-environment dom
import { expect, test } from 'vitest'
import { makeBooking } from '../../../../testing/build-application.ts'
import { appOfFile, openScreen, press, says } from '../../../../testing/component.tsx'

const site = appOfFile()

test('while reviews, messages and arrival are off, their empty screens say so and promise nothing [REVIEW-01, MSG-01, STAY-01]', async () => {
  const owner = await site.app.makeAdmin()
  await openScreen(site.app, '/admin/reviews', owner)
  await says('Reviews are off')
  expect(document.body.textContent).not.toContain('Guests write after their stay.')
  await openScreen(site.app, '/admin/messages', owner)
  await says('Messages are off')
  await openScreen(site.app, '/admin/arrival', owner)
  await says('Guests do not see it yet')
  expect(document.body.textContent).not.toContain('It opens by itself')
})

test('publishes the words that are on the screen, not those of a change meanwhile [REVIEW-06]', async () => {
  const { app } = site
  const [owner, tenant] = [await app.makeAdmin(), await app.makeTenant()]
  const { id: applicationId } = await makeBooking(app, tenant, owner)
  await app.as(owner).settings.reviews.save({ version: 0, body: { enabled: true } })
  app.setNow('2026-07-01T16:00:00.000Z')
  const review = { applicationId, rating: 4, title: '', name: 'first' as const }
  const guest = app.as(tenant).reviews
  await guest.write({ ...review, text: 'We loved the balcony and the sea.' })
  await openScreen(app, '/admin/reviews', owner)
  await says('We loved the balcony and the sea.')
  await guest.change({ ...review, text: 'It was loud, and the beds were too small.', version: 1 })
  await press('Publish')
  await says('This review was changed meanwhile.')
  await says('It was loud, and the beds were too small.')
  expect((await guest.get({ applicationId })).review?.state).toBe('waiting')
  await press('Publish')
  await says('Review published')
})
