// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeLease } from '../../../../testing/build-lease.ts'
import { appOfFile, changeAnswer, openScreen, press, recordInputs } from '../../../../testing/component.tsx'

const site = appOfFile()

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
  const { admin, id } = await makeLease(site.app)
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
