// @vitest-environment dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { buildRate } from '../../../../testing/build-rate.ts'
import {
  appOfFile,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  recordInputs,
  refusal,
} from '../../../../testing/component.tsx'

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
  return { user, add, save: () => user.click(form().getByRole('button', { name: 'Create rate' })) }
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
  await screen.findAllByText((_, element) => element?.textContent === '30 nights')
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

test.each(['Cancel', 'Close', 'Create rate'])(
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

const row = (name: string) =>
  screen.getByRole('button', { name: `Edit ${name}` }).closest('tr') as HTMLTableRowElement

test('the empty list suggests adding a rate, and new periods show in the table [RATES-01, RATES-02, RATES-05, RATES-06, RATES-07, RATES-08]', async () => {
  const owner = site.app.as(admin)
  for (const { id } of (await owner.rates.listAll()).rates) await owner.rates.remove({ id })
  const { save, add } = await openForm()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Rates Management')
  for (const text of [
    'Manage rental rates and pricing periods',
    'No rates found',
    'Get started by creating your first rate period.',
  ])
    await screen.findByText(text)
  expect(field('Active').checked).toBe(true)
  fill({ ...needed, 'Nightly Rate': '1160.5', 'Weekend Night': '190', 'Min Stay': '7' }, form())
  await save()
  await screen.findByText('Rate created successfully')
  await screen.findByRole('button', { name: 'Edit High season' })
  expect(screen.getAllByRole('columnheader').map(head => head.textContent)).toEqual([
    'Period',
    'Date Range',
    'Monthly',
    'Weekly',
    'Nightly',
    'Min Stay',
    'Status',
    'Actions',
  ])
  const cells = ['High season', 'Jun 1, 2031 – Aug 31, 2031', '$3,600.00', '-', '$1,160.50$190.00 weekend']
  const text = row('High season').textContent
  for (const cell of [...cells, '7 nights', 'Active']) expect(text).toContain(cell)

  await add()
  fill({ ...needed, 'Period Name': 'Put away' }, form())
  fireEvent.click(field('Active'))
  await save()
  await waitFor(() => expect(row('Put away').textContent).toContain('Inactive'))
})

test('a period can be edited, and deleted after a confirmation [RATES-09, RATES-18, RATES-19, RATES-21, RATES-22, TOAST-07]', async () => {
  const owner = site.app.as(admin)
  const spring = buildRate({ period: 'Spring', monthly: 2750.5, weekly: null, minStay: 12 })
  const { id } = (await owner.rates.create(spring)).rate
  await owner.rates.create(buildRate({ period: 'Blank' }))
  changeAnswer('rates.listAll', ({ rates }) => {
    for (const rate of rates as { period: string; minStay: number | null }[])
      if (rate.period === 'Blank') rate.minStay = null
  })
  const { user } = await openScreen(site.app, '/admin/rates', admin)
  const edited = () => within(screen.getByRole('region', { name: 'Edit rate' }))
  const value = (label: string) => edited().getByLabelText<HTMLInputElement>(new RegExp(`^${label}`)).value
  await user.click(await screen.findByRole('button', { name: 'Edit Blank' }))
  await waitFor(() => expect(value('Min Stay')).toBe('30'))
  await user.click(screen.getByRole('button', { name: 'Edit Spring' }))
  await waitFor(() => expect(value('Period Name')).toBe('Spring'))
  expect(['Start Date', 'End Date', 'Monthly Rate', 'Weekly Rate', 'Min Stay'].map(value)).toEqual([
    spring.startDate,
    spring.endDate,
    '2750.5',
    '',
    '12',
  ])
  const sent = recordInputs('rates.update')
  fill({ 'Period Name': 'Late spring', 'Weekly Rate': '900.25' }, edited())
  await user.click(edited().getByRole('button', { name: 'Update rate' }))
  await screen.findByText('Rate updated successfully')
  await waitFor(() => expect(row('Late spring').textContent).toContain('$900.25'))
  const updatedAt = expect.any(String)
  expect(sent).toMatchObject([
    { id, period: 'Late spring', monthly: 2750.5, weekly: 900.25, minStay: 12, updatedAt },
  ])

  const remove = () => user.click(screen.getByRole('button', { name: 'Delete Late spring' }))
  const confirm = vi.fn(() => false)
  window.confirm = confirm
  const removed = recordInputs('rates.remove')
  await remove()
  expect(confirm).toHaveBeenLastCalledWith('Are you sure you want to delete this rate?')
  expect(removed).toEqual([])
  confirm.mockReturnValue(true)
  onCall('rates.remove', () => refusal({ status: 404, message: 'Rate not found' }))
  await remove()
  await screen.findByText('Failed to delete rate')
  screen.getByText('Rate not found')
  onCall('rates.remove', send => send())
  await remove()
  await screen.findByText('Rate deleted successfully')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit Late spring' })).toBeNull())
})

test('a season is copied to next year, and saved as a new one [LOOK-91]', async () => {
  const owner = site.app.as(admin)
  await owner.rates.create(
    buildRate({ period: 'Winter 2030', startDate: '2030-12-01', endDate: '2031-02-28', monthly: 2100 }),
  )
  const { user } = await openScreen(site.app, '/admin/rates', admin)
  await user.click(await screen.findByRole('button', { name: 'Edit Winter 2030' }))
  await user.click(await screen.findByRole('button', { name: 'Copy to next year' }))
  await waitFor(() => expect(field('Period Name').value).toBe('Winter 2031'))
  expect([field('Start Date').value, field('End Date').value]).toEqual(['2031-12-01', '2032-02-28'])
  await user.click(form().getByRole('button', { name: 'Create rate' }))
  await screen.findByRole('button', { name: 'Edit Winter 2031' })
  expect(row('Winter 2031').textContent).toContain('$2,100.00')
})

test('the switch for the stay length is below the seasons [LOOK-57]', async () => {
  const { user } = await openScreen(site.app, '/admin/rates', admin)
  const card = () => within(screen.getByRole('region', { name: 'Min and max stay' }))
  await waitFor(() => card().getByText('Guests can ask for other lengths'))
  await user.click(card().getByRole('button', { name: /^Edit/ }))
  await user.click(await card().findByRole('switch', { name: /^Hold guests/ }))
  await user.click(card().getByRole('button', { name: 'Save' }))
  await waitFor(() => card().getByText('Refused, with the reason'))
  const { body } = await site.app.as(admin).settings.bookingRules.get()
  expect(body).toMatchObject({ stayLength: true, leadDays: null })
})
