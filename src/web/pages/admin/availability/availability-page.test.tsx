// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  appOfFile,
  button,
  fill,
  onCall,
  openScreen,
  recordInputs,
  refusal,
} from '../../../../testing/component.tsx'

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

test('Bulk Update opens its panel, which says what would change nothing, and closes it again [AVAIL-10]', async () => {
  const user = await openCalendar()
  await user.click(cell('2026-04-21'))
  const toggle = button('Bulk Update (1)')
  await user.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  screen.getByRole('region', { name: 'Bulk update' })
  screen.getByText('Already available.')
  await user.click(screen.getByRole('radio', { name: 'Unavailable' }))
  expect(screen.queryByText(/^Already /)).toBeNull()
  await user.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByRole('region', { name: 'Bulk update' })).toBeNull()
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
  await user.click(button('Update 1 Date'))
  await waitFor(() => expect(toasts()).toContain('Booked by APP-2026-0099.'))
  expect(button('Bulk Update (1)')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>(/^Reason/).value).toBe('Kept')
  expect(cell('2026-04-23').getAttribute('data-tone')).toBe('selected')
})

const selected = () =>
  [...document.querySelectorAll('td:has([data-tone="selected"])')].map(day => day.getAttribute('data-day'))

test('the panel names days that do not follow each other and shows no range for them [LOOK-71]', async () => {
  const user = await openCalendar()
  await user.click(cell('2026-04-06'))
  await user.click(cell('2026-04-08'))
  await user.click(button('Bulk Update (2)'))
  const values = () => ['From', 'To'].map(name => screen.getByLabelText<HTMLInputElement>(name).value)
  expect(values()).toEqual(['', ''])
  expect(screen.getByText('Apr 6, 2026 and Apr 8, 2026')).toBeDefined()
  await user.click(cell('2026-04-10'))
  expect(screen.getByText('3 days, not in a row')).toBeDefined()
  fill({ From$: '2026-04-20' })
  fill({ To$: '2026-04-21' })
  expect(values()).toEqual(['2026-04-20', '2026-04-21'])
  expect(selected()).toEqual(['2026-04-20', '2026-04-21'])
})

test('a range ends after Until…, at a click with Shift, or in the panel [LOOK-71]', async () => {
  const user = await openCalendar()
  await user.click(cell('2026-04-06'))
  await user.click(button('Until… (from Apr 6, 2026)'))
  await user.click(cell('2026-04-08'))
  expect(selected()).toEqual(['2026-04-06', '2026-04-07', '2026-04-08'])
  // The next click selects a single date again.
  await user.click(cell('2026-04-20'))
  expect(selected()).toHaveLength(4)
  await user.keyboard('{Shift>}')
  await user.click(cell('2026-04-18'))
  await user.keyboard('{/Shift}')
  expect(selected().slice(3)).toEqual(['2026-04-18', '2026-04-19', '2026-04-20'])
  await user.click(button('Bulk Update (6)'))
  const [from, to] = [screen.getByLabelText<HTMLInputElement>('From'), screen.getByLabelText('To')]
  expect(from.value).toBe('')
  fill({ From$: '2026-04-10' })
  fill({ To$: '2026-04-11' })
  expect(to).toHaveProperty('value', '2026-04-11')
  expect(selected()).toEqual(['2026-04-10', '2026-04-11'])
})
