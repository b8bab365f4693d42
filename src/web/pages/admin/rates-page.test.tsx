// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { appOfFile, fill, onCall, openScreen, recordInputs, refusal } from '../../../testing/component.tsx'

const site = appOfFile()
let admin: SignedIn
beforeAll(async () => {
  admin = await site.app.makeAdmin()
})

const form = () => within(screen.getByRole('region', { name: 'Add Rate' }))
const field = (label: string) => form().getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
const needed = {
  'Period Name': 'High season',
  'Start Date': '2031-06-01',
  'End Date': '2031-08-31',
  'Monthly Rate': '3600',
}

/** Opens the empty form, with a way to save it. */
async function openForm() {
  const { user } = await openScreen(site.app, '/admin/rates', admin)
  const add = async () =>
    user.click((await screen.findAllByRole('button', { name: 'Add Rate' }))[0] as Element)
  await add()
  await screen.findByRole('region', { name: 'Add Rate' })
  return { user, add, save: () => user.click(form().getByRole('button', { name: 'Create Rate' })) }
}

test('checks required fields and minimum values, and fills in defaults [RATES-10, RATES-11, RATES-12, RATES-13]', async () => {
  const { save } = await openForm()
  await save()
  for (const name of ['Period name', 'Start date', 'End date', 'Monthly rate'])
    await screen.findByText(`${name} is required`)
  expect(document.activeElement).toBe(field('Period Name'))
  for (const label of ['Monthly Rate', 'Weekly Rate', 'Nightly Rate', 'Weekend Night'])
    expect([field(label).step, field(label).min]).toEqual(['0.01', '0'])
  expect([field('Min Stay').min, field('Min Stay').value]).toEqual(['1', '30'])
  fill({ ...needed, 'Nightly Rate': '-1', 'Min Stay': '0' }, form())
  await save()
  await screen.findByText('Please enter a valid amount')
  await screen.findByText('Min stay is at least 1 night')

  const sent = recordInputs('rates.create')
  fill({ 'Nightly Rate': '', 'Min Stay': '' }, form())
  await save()
  await screen.findByText('30 nights')
  const empty = { weekly: null, nightly: null, weekendNight: null }
  expect(sent).toMatchObject([{ ...empty, minStay: 30, isActive: true }])
})

test('the server rejects a reversed period, and the field shows the error [RATES-15, RATES-16, RATES-20]', async () => {
  const { save } = await openForm()
  const sent = recordInputs('rates.create')
  fill({ ...needed, 'End Date': '2031-05-01' }, form())
  await save()
  await screen.findByText('End date must be on or after start date')
  expect(document.activeElement).toBe(field('End Date'))
  expect(sent).toMatchObject([{ startDate: '2031-06-01', endDate: '2031-05-01' }])
  fill({ 'End Date': '2031-07-01' }, form())
  await save()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Add Rate' })).toBeNull())
})

test.each(['Cancel', 'Close', 'Create Rate'])(
  '%s closes the form and discards the input [RATES-17]',
  async name => {
    const { user, add } = await openForm()
    fill(needed, form())
    await user.click(form().getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Add Rate' })).toBeNull())
    expect(document.activeElement?.textContent).toBe('Add Rate')
    await add()
    expect(field('Period Name').value).toBe('')
  },
)

test.each([
  [{ status: 500 }, 'Failed to save rate'],
  ['no answer', 'Failed to save rate'],
  [{ status: 409, message: 'The calendar is being moved.' }, 'The calendar is being moved.'],
] as const)(
  'a save that fails with %j shows the reason and keeps the form [RATES-20, TOAST-06, TOAST-08]',
  async (failure, text) => {
    const { save } = await openForm()
    fill(needed, form())
    onCall('rates.create', () => {
      if (failure === 'no answer') throw new TypeError('Failed to fetch')
      return refusal(failure)
    })
    await save()
    expect((await form().findByRole('alert')).textContent).toBe(text)
    expect(field('Period Name').value).toBe('High season')
  },
)
