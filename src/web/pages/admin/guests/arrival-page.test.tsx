// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeLease } from '../../../../testing/build-lease.ts'
import {
  appOfFile,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  press,
  recordInputs,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
const made: { lease?: ReturnType<typeof makeLease> } = {}
const oneLease = () => {
  made.lease ??= makeLease(site.app)
  return made.lease
}

const task = {
  codeId: 'c1',
  lockName: 'Front door',
  kind: 'per_stay',
  applicationId: 'a1',
  guestName: 'Tessa Quinlan',
  from: null,
  until: '2026-12-23T15:00:00.000Z',
  tone: 'danger',
}
const nina = {
  guestName: 'Nina Osborne',
  from: '2026-12-22T19:56:00.000Z',
  until: '2026-12-25T21:00:00.000Z',
}
const jon = { guestName: 'Jon Hale', until: '2026-12-25T22:00:00.000Z' }
const sam = { guestName: 'Sam Carter', from: '2026-12-31T15:00:00.000Z', until: '2027-01-03T21:00:00.000Z' }

const cardNames = () => screen.getAllByRole('region').map(card => card.getAttribute('aria-label') ?? '')

test('tasks of codes stand first, each by the server’s clock with its time, what is late and its code; the guests at the door before the others, and only the first that is due stands out [STAY-22]', async () => {
  changeAnswer('stays.codes', data => {
    data.now = '2026-12-25T20:00:00.000Z'
    data.tasks = [
      { ...task, id: 't1', action: 'set', tone: null, ...sam, guestName: 'Olga Reyes', until: sam.from },
      { ...task, id: 't2', action: 'remove' },
      { ...task, id: 't6', action: 'remove', ...jon, tone: null },
      { ...task, id: 't5', action: 'set', guestName: 'Mia Torres', until: '2026-12-25T17:30:00.000Z' },
      { ...task, id: 't3', action: 'set', ...nina },
      { ...task, id: 't4', action: 'set', tone: null, ...sam },
    ]
  })
  await openScreen(site.app, '/admin/arrival', await site.app.makeAdmin())
  const card = within(await screen.findByRole('region', { name: 'Codes to set' }))
  const rows = (await card.findAllByRole('listitem')).map(row => row.textContent?.replaceAll(/\s/g, ' '))
  expect(rows).toEqual([
    'Mia Torres, Front door 2 hours lateSet it by Dec 25, 2026, 12:30 PM ESTShow codeIt is set',
    'Nina Osborne, Front door DueSet it by Dec 25, 2026, 4:00 PM ESTShow codeIt is set',
    'Olga Reyes, Front door Set it on Dec 31, 2026, 10:00 AM EST, not beforeShow codeIt is set',
    'Tessa Quinlan, Front door 2 days lateTake it off by Dec 23, 2026, 10:00 AM EST, also if the next code has replaced itShow codeIt is off',
    'Jon Hale, Front door DueTake it off by Dec 25, 2026, 5:00 PM EST, also if the next code has replaced itShow codeIt is off',
    'Sam Carter, Front door Set it between Dec 31, 2026, 10:00 AM EST and Jan 3, 2027, 4:00 PM ESTShow codeIt is set',
  ])
  const marks = card.getAllByRole('button', { name: /^It is/ })
  const standsOut = marks.map(({ className }) => className.includes('bg-navy'))
  expect(standsOut).toEqual([true, false, false, false, false, false])
  expect(cardNames().slice(0, 2)).toEqual(['Codes to set', 'When a stay opens'])
})

test('marking a code as set while the previous guest is still there asks for confirmation [STAY-22]', async () => {
  changeAnswer('stays.codes', data => {
    data.now = '2026-12-25T20:00:00.000Z'
    data.tasks = [{ ...task, id: 't1', action: 'set', tone: null, ...sam }]
  })
  const marked = recordInputs('stays.markSet')
  await openScreen(site.app, '/admin/arrival', await site.app.makeAdmin())
  await press('It is set')
  const question = within(await screen.findByRole('alertdialog', { name: 'Is it set at the lock already?' }))
  question.getByText(/The guest before leaves on Dec\s31, 2026, 10:00\sAM EST\./)
  await press('Cancel', question)
  expect(marked).toEqual([])
  await press('It is set')
  await press('It is set', within(await screen.findByRole('alertdialog')))
  await waitFor(() => expect(marked).toEqual([{ codeId: 'c1' }]))
})

test('a stay says which code is to be set again, as its task does [STAY-22]', async () => {
  const { admin, id } = await oneLease()
  const lock = { lockId: 'l', name: 'Front door', kind: 'per_stay', setAt: nina.from, shown: false }
  changeAnswer('stays.adminGet', data => {
    data.locks = [
      { ...lock, codeId: 'c1' },
      { ...lock, lockId: 'm', codeId: 'c2' },
    ]
  })
  changeAnswer('stays.codes', data => {
    data.tasks = [{ ...task, id: 't1', action: 'set', again: true }]
  })
  await openScreen(site.app, `/admin/arrival/${id}`, admin)
  const card = within(await screen.findByRole('region', { name: 'Codes' }))
  card.getByText('To be set again')
  card.getByText('Set')
})

test('the dialog for a first code mentions no former one and shows the rule for typed codes, and a change hides a shown code [STAY-19, STAY-20]', async () => {
  const { admin, id } = await oneLease()
  const lock = { lockId: 'l', name: 'Front door', kind: 'per_stay', setAt: null, shown: false }
  const answer = (codeId: string | null) =>
    changeAnswer('stays.adminGet', data => {
      data.locks = [{ ...lock, codeId }]
    })
  answer(null)
  await openScreen(site.app, `/admin/arrival/${id}`, admin)
  const rule = '2 to 16 digits, letters, * or #. Empty: we make one that is hard to guess.'
  await press('Make a code')
  const first = await screen.findByRole('dialog', { name: 'A code for Front door' })
  expect(first.textContent).not.toMatch(/former|change|new/i)
  expect(first.textContent).toContain(rule)
  within(first).getByRole('button', { name: 'Make the code' })
  answer('c1')
  onCall('stays.showOwnCode', () =>
    Response.json([{ result: { data: { code: { lockId: 'l', name: 'Front door', code: '482913' } } } }]),
  )
  await openScreen(site.app, `/admin/arrival/${id}`, admin)
  await press('Show code')
  await says('482913')
  await press('Change code')
  const other = await screen.findByRole('dialog', { name: 'Another code for Front door' })
  expect(other.textContent).toContain(rule)
  answer('c2')
  onCall('stays.changeCode', () => Response.json([{ result: { data: { lock: {} } } }]))
  await press('Change code', within(other))
  await says('Code changed')
  await screen.findByRole('button', { name: 'Show code' })
  expect(document.body.textContent).not.toContain('482913')
})

test('a stay that has ended can be reopened only until a future day, and the day must be complete [STAY-10]', async () => {
  const { admin, id } = await oneLease()
  const held = recordInputs('stays.hold')
  const openWith = async (state: string, later: object | null) => {
    changeAnswer('stays.adminGet', data => {
      const stay = data.stay as { gate: object }
      Object.assign(stay, { startDate: '2026-01-22', endDate: '2026-12-22' })
      Object.assign(stay.gate, { state })
      const at = '2026-11-30T23:02:00.000Z'
      data.hold = { hold: 'open', until: null, reason: 'She pays on Friday', at, by: null }
      data.later = later
    })
    await openScreen(site.app, `/admin/arrival/${id}`, admin)
    return within(await screen.findByRole('region', { name: 'The gate' }))
  }
  for (const state of ['closed', 'open']) {
    await openWith(state, null)
    await says('Opened by you, Nov 30, 2026, 6:02 PM EST: She pays on Friday')
    expect(screen.queryByRole('button', { name: /^Open (Now|longer)$/ })).toBeNull()
  }

  const week = { first: '2026-12-23', last: '2026-12-29', isNeeded: false }
  await press('Open Now', await openWith('closed', week))
  await says('Empty: until Dec 22. Later: Dec 23 to Dec 29.')
  const until = () => screen.getByLabelText<HTMLInputElement>(/^Open until/)
  const send = () => press('Open Now', within(screen.getByRole('dialog')))
  fill({ Reason: 'a'.repeat(501) })
  Object.defineProperty(until(), 'validity', { value: { badInput: true } })
  await send()
  await says('Please choose a day')
  await says('Please use at most 500 characters')

  const rest = { ...week, first: '2026-12-26', isNeeded: true }
  await press('Open Now', await openWith('closed', rest))
  await says('Dec 26 to Dec 29.')
  expect([until().min, until().max]).toEqual(['2026-12-26', '2026-12-29'])
  await send()
  await says('Please choose a day')
  await says('Please enter a reason')
  expect(held).toEqual([])
})

test('without tasks their card stands below the settings [STAY-22]', async () => {
  await openScreen(site.app, '/admin/arrival', await site.app.makeAdmin())
  await screen.findByText('Nothing to set.')
  expect(cardNames().slice(0, 2)).toEqual(['When a stay opens', 'Codes to set'])
})

test('a lock has its name as heading; what counts for codes of stays alone stands below the kind [STAY-16]', async () => {
  const admin = await site.app.makeAdmin()
  const lock = { id: 'front-door', name: 'Front door', kind: 'per_stay', digits: 6, hint: '' }
  await site.app.as(admin).stays.saveSection({
    section: 'entry',
    version: 0,
    body: { text: '', locks: [lock] },
  })
  const { user } = await openScreen(site.app, '/admin/arrival', admin)
  const summary = await screen.findByText('Getting in')
  expect(summary.textContent).toBe('Getting inFront door')
  await user.click(summary)
  const fields = screen.getByRole('group', { name: 'Front door' })
  const labels = () => [...fields.querySelectorAll('label')].map(({ textContent }) => textContent)
  expect(labels()).toEqual(['Name', 'Code', 'The lock holds', 'Digits', 'Hint'])
  await user.selectOptions(within(fields).getByLabelText('Code'), 'standing')
  expect(labels()).toEqual(['Name', 'Code', 'Hint'])
  await user.click(screen.getByRole('button', { name: 'Add lock' }))
  const added = within(screen.getByRole('group', { name: 'lock 2' }))
  // The first field in error may be far above the button.
  fields.closest('form')?.querySelector<HTMLElement>('button[type=submit]')?.click()
  await added.findByText('Name is required')
  await waitFor(() => expect(document.activeElement).toBe(added.getByLabelText('Name')))
})
