import { addDays, dateIn, formatShortDate } from '../../domain/common/dates.ts'
import { openAsAdmin } from './admin-pages.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './site.ts'

test.use({ siteEnv: { CLOCK_OFFSET: '+45d' } })

test('a site with a clock offset uses the shifted date and shows a note about it on every screen', async ({
  page,
  site,
}) => {
  const today = addDays(dateIn(new Date(), 'America/New_York'), 45)
  const banner = page.getByRole('note')
  const sentence = `This demo runs on a different clock: here it is ${formatShortDate(today)}.`
  for (const path of ['/', '/contact', '/login']) {
    await page.goto(path)
    await expect(banner).toHaveText(sentence)
  }
  await expectAccessible(page)
  const form = { name: 'Wanda Wave', email: 'wanda@guest.example', message: 'Is there a lift?' }
  const sent = await fetch(`${site.url}/trpc/contact.send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  })
  expect(sent.ok).toBe(true)
  const mailbox = async () => (await fetch(`${site.url}/sandbox/mailbox`)).text()
  await expect.poll(mailbox, { timeout: 20_000 }).toContain(formatShortDate(today))
  await openAsAdmin(page, site, '/admin/availability')
  await expect(banner).toContainText(sentence)
  await expect(banner).toContainText('This is the demo: no real money moves.')
  await expect(page.getByRole('button', { name: /^Today, / })).toHaveAccessibleName(
    new RegExp(`${Number(today.slice(8))}, ${today.slice(0, 4)}`),
  )
})
