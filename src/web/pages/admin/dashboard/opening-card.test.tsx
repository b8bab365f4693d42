// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  appOfFile,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  press,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
const line = (key: string, state = 'open', required = false) => ({ key, state, required })
const card = () => within(screen.getByRole('region', { name: 'Open your site' }))

test('the dashboard lists what is left, lets the owner decline what is not needed, and opens the site when nothing needed is left [OPEN-03]', async () => {
  const lines = [
    line('content', 'done', true),
    line('taxes'),
    line('prices', 'open', true),
    line('payments', 'done'),
  ]
  changeAnswer('site.get', data =>
    Object.assign(data.site as object, { cardPayments: true, cardFeeBasisPoints: 300, opening: 'never' }),
  )
  changeAnswer('opening.get', data =>
    Object.assign(data, {
      opening: 'never',
      open: false,
      lines,
      examples: ['pictures'],
      missing: ['prices'],
    }),
  )
  changeAnswer('notices.list', data => {
    const notice = (id: string) => ({ id, tone: 'warning', title: id, detail: '', at: null, action: null })
    data.notices = [notice('no-mail'), notice('local-address'), notice('elsewhere')]
  })
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  await says('Open your site (2 of\u00a05)')
  await screen.findByText('elsewhere')
  expect(screen.queryByText('no-mail')).toBeNull()
  card().getByText(/^Still our examples: pictures\./)
  card().getByText('1 done')
  screen.getByRole('heading', { name: 'Application Management' })
  expect(screen.queryByLabelText('Search applications')).toBeNull()
  card().getByText(/^By card\. Guests pay a card fee of 3%/)
  const labels = card().getAllByText(/^(Taxes|Prices and deposit|local-address)/)
  expect(labels.map(label => label.textContent)).toEqual([
    'Prices and depositNeeded',
    'local-addressNeeded',
    'Taxes',
  ])
  card().getByText('2 needed before guests see it')
  const how = card().getByRole('link', { name: 'See how' })
  expect(how.getAttribute('href')).toBe('/admin/site/server#this-installation')
  expect(screen.getAllByText('local-address')).toHaveLength(1)
  expect(card().getByRole('link', { name: 'Add prices' }).getAttribute('href')).toBe('/admin/rates')
  expect(card().queryByRole('button', { name: 'Open the site' })).toBeNull()
  changeAnswer('opening.decline', data =>
    Object.assign(data, {
      opening: 'never',
      open: false,
      examples: [],
      lines: [line('content', 'done', true), line('prices', 'done', true), line('taxes', 'declined')],
      missing: [],
    }),
  )
  await press('Not for me: Taxes', card())
  await waitFor(() => card().getByRole('button', { name: 'Open the site' }))
  card().getByRole('button', { name: 'Undo: Taxes' })
})

test('the owner sends a trial guest a link, and removes the trial after a question [OPEN-07]', async () => {
  const lines = [line('trial')]
  const answer = { opening: 'never', open: false, lines, examples: [], missing: [] }
  changeAnswer('opening.get', data => Object.assign(data, { ...answer, trial: null }))
  onCall('opening.startTrial', async () =>
    Response.json([{ result: { data: { ...answer, trial: 'me@second.example' } } }]),
  )
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  await press('Apply as a guest')
  fill({ 'A second email of yours': 'me@second.example' })
  await press('Send the link')
  await says('me@second.example has a link to apply')
  await press('Remove trial')
  await says('Remove the trial?')
})

test('what is still an example stays listed once the site is open, until it is replaced or kept [OPEN-03, OPEN-05]', async () => {
  const lines = [line('content', 'done', true), line('taxes', 'declined')]
  const answer = { opening: 'open', open: true, lines, examples: ['house rules'], missing: [] }
  changeAnswer('opening.get', data => Object.assign(data, answer))
  onCall('opening.decline', async () =>
    Response.json([{ result: { data: { ...answer, examples: [], trial: null, installing: false } } }]),
  )
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  await says('Finish your site (1 of\u00a02)')
  await says('Still our examples: house rules.')
  await press('Keep them: Words and pictures')
  await waitFor(() => expect(document.body.textContent).not.toContain('Finish your site'))
})

test('what is left of an open site stands below what needs the owner [OPEN-03]', async () => {
  changeAnswer('opening.get', data =>
    Object.assign(data, { opening: 'open', open: true, lines: [line('taxes')], examples: [], missing: [] }),
  )
  changeAnswer('notices.ownerDay', data => {
    const task = { applicationId: '1', kind: 'answer', title: 'Maya Rivers is waiting', detail: '' }
    data.tasks = [{ ...task, action: 'Decide' }]
    data.taskCount = 1
  })
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  await says('Finish your site (0 of\u00a01)')
  await screen.findByRole('region', { name: 'Needs you' })
  const cards = screen.getAllByRole('region', { name: /^(Needs you|Finish your site)$/ })
  expect(cards.map(card => card.getAttribute('aria-label'))).toEqual(['Needs you', 'Finish your site'])
})
