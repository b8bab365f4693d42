// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  appOfFile,
  button,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  recordInputs,
  refusal,
} from '../../../testing/component.tsx'

const site = appOfFile()

const cell = (date: string) => document.querySelector(`[data-day="${date}"] button`) as HTMLButtonElement
const toasts = () => screen.getByLabelText('Notifications').textContent

async function openCalendar() {
  const { user } = await openScreen(site.app, '/admin/availability', await site.app.makeAdmin())
  await waitFor(() => expect(cell('2026-04-21')?.getAttribute('data-tone')).toBe('available'))
  return user
}

test('an update without dates shows an error [AVAIL-12]', async () => {
  const user = await openCalendar()
  const sent = recordInputs('availability.setDates')
  await user.click(cell('2026-04-21'))
  await user.click(button('Bulk Update (1)'))
  await user.click(cell('2026-04-21'))
  await user.click(await screen.findByRole('button', { name: 'Update 0 Dates' }))
  await waitFor(() => expect(toasts()).toContain('Please select dates to update'))
  expect(sent).toEqual([])
})

test('a failed update shows the reason and keeps the selection [AVAIL-24, TOAST-06, TOAST-08]', async () => {
  const user = await openCalendar()
  onCall('availability.setDate', () => {
    throw new TypeError('Failed to fetch')
  })
  await user.dblClick(cell('2026-04-22'))
  await waitFor(() => expect(toasts()).toContain('Failed to update availability'))

  onCall('availability.setDates', () => refusal({ status: 409, message: 'Booked by APP-2026-0099.' }))
  await user.click(cell('2026-04-23'))
  await user.click(button('Bulk Update (1)'))
  fill({ Reason: 'Kept' })
  await user.click(button('Update 1 Dates'))
  await waitFor(() => expect(toasts()).toContain('Booked by APP-2026-0099.'))
  expect(button('Bulk Update (1)')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>(/^Reason/).value).toBe('Kept')
  expect(cell('2026-04-23').getAttribute('data-tone')).toBe('selected')
})

test.each([
  [{ feeds: [], exports: [] }, 0],
  [{ feeds: [{ name: 'Airbnb' }], exports: [] }, 1],
  [{ feeds: [], exports: [{ name: 'Cleaner' }] }, 1],
])('the header links to the calendars if one is imported or exported: %j', async (overview, links) => {
  const asked = recordInputs('calendars.overview')
  changeAnswer('calendars.overview', data => {
    asked.push(data)
    Object.assign(data, overview)
  })
  await openCalendar()
  await waitFor(() => expect(asked).toHaveLength(1))
  const header = within(document.querySelector('main header') as HTMLElement)
  await waitFor(() => expect(header.queryAllByRole('link', { name: 'Calendars' })).toHaveLength(links))
})
