// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { buildRate } from '../../../testing/build-rate.ts'
import { appOfFile, openScreen } from '../../../testing/component.tsx'

const site = appOfFile()

beforeAll(async () => {
  const { rates } = site.app.as(await site.app.makeAdmin())
  await rates.create(buildRate({ startDate: '2026-03-01', endDate: '2026-04-15', minStay: 7 }))
})

async function choose(...days: string[]) {
  const { user } = await openScreen(site.app, '/')
  for (const day of days) {
    const cell = () => document.querySelector<HTMLElement>(`td[data-day="${day}"] button`)
    await waitFor(() => expect(cell()).toBeTruthy())
    await user.click(cell() as HTMLElement)
  }
  return within(await screen.findByRole('region', { name: 'Your stay' }))
}

const holdGuests = async (stayLength: boolean) => {
  const { settings } = site.app.as(await site.app.makeAdmin())
  const { version } = await settings.bookingRules.get()
  await settings.bookingRules.save({ version, body: { stayLength } })
}

test('guests who are not held to the minimum stay read nothing of it, and ask for a shorter stay [LOOK-57]', async () => {
  const short = await choose('2026-03-10', '2026-03-13')
  await short.findByRole('link', { name: 'Ask for a shorter stay' })
  short.getByText(
    'Stays in this season are usually longer. Ask, and we will tell you whether yours is possible.',
  )
  short.getByText('Estimated rent')
  expect(short.getByText('Plus security deposit').parentElement?.textContent).toContain('$500.00')
  expect(short.queryByText(/minimum/i)).toBeNull()
  const long = await choose('2026-03-10', '2026-03-17')
  await long.findByRole('link', { name: 'Apply for these dates' })
})

test('guests who are held to the minimum stay read it, and cannot apply for less [LOOK-57]', async () => {
  await holdGuests(true)
  const summary = await choose('2026-03-10', '2026-03-13')
  await summary.findByText('The minimum stay in Summer is 7 nights.')
  summary.getByText('Minimum stay')
  const apply = summary.getByRole<HTMLButtonElement>('button', { name: 'Apply for these dates' })
  expect(apply.disabled).toBe(true)
  await holdGuests(false)
})

test('dates without a rate lead to the contact form, not to an application [LOOK-58]', async () => {
  const summary = await choose('2026-04-14', '2026-04-20')
  const ask = await summary.findByRole<HTMLAnchorElement>('link', { name: 'Ask for a price' })
  expect(new URL(ask.href).pathname).toBe('/contact')
  expect(summary.queryByText('Apply for these dates')).toBeNull()
})
