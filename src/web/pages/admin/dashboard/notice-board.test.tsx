// @vitest-environment dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  appOfFile,
  changeAnswer,
  isAt,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
const board = () => screen.findByRole('region', { name: 'Notices' })

/** Opens the dashboard with a single notice that has this action. */
async function openWith(action: object) {
  changeAnswer('notices.list', data => {
    data.notices = [{ id: 'n-1', tone: 'danger', title: 'A notice', detail: 'Its details', at: null, action }]
  })
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  return within(await board())
}

const failedMail = { kind: 'failed_mail', outboxId: 'mail-1', canRetry: true }
const unexpected = { kind: 'unexpected_payment', paymentId: 'pay-1', applicationId: null, leftCents: 515_00 }

test.each([
  [failedMail, 'Send Again', 'notices.retryMail', { id: 'mail-1' }, 'Failed to send the email again'],
  [failedMail, 'Dismiss', 'notices.dismissMail', { id: 'mail-1' }, 'Failed to dismiss'],
  [unexpected, 'Dismiss', 'payments.dismissUnexpected', { paymentId: 'pay-1' }, 'Failed to dismiss'],
  [
    { kind: 'dismiss_event', eventId: 'evt-1' },
    'Dismiss',
    'payments.dismissQuarantined',
    { eventId: 'evt-1' },
    'Failed to dismiss',
  ],
])('the notice %j has a button %s that calls %s, whose failure is reported [FIX-01]', async (...row) => {
  const [action, name, procedure, input, failure] = row
  const notice = await openWith(action)
  const sent = recordInputs(procedure)
  await press(name, notice)
  await says(failure)
  expect(sent).toEqual([input])
})

test('an unexpected payment is refunded after a confirmation [FIX-01]', async () => {
  const notice = await openWith(unexpected)
  const sent: object[] = []
  onCall('payments.refund', (_, input) => {
    sent.push(input)
    return refusal({ status: 500 })
  })
  await press('Refund to card', notice)
  const question = within(await screen.findByRole('alertdialog', { name: 'Refund $515.00 to the card?' }))
  expect(sent).toEqual([])
  await press('Refund $515.00', question)
  await says('Refund failed')
  expect(sent).toMatchObject([{ paymentId: 'pay-1', totalCents: 515_00 }])
})

test.each([
  { ...unexpected, applicationId: 'app-1' },
  { kind: 'application', applicationId: 'app-1' },
])('the notice %j links to its application', async action => {
  const notice = await openWith(action)
  expect(notice.getByRole('link', { name: 'Open application' }).getAttribute('href')).toBe(
    '/admin/application/app-1',
  )
})

test('the notice of a deposit that is late has a button that opens its return', async () => {
  const notice = await openWith({ kind: 'application', applicationId: 'app-1', returnCents: 315_00 })
  expect(notice.getByRole('link', { name: 'Return $315.00' }).getAttribute('href')).toBe(
    '/admin/application/app-1#give-back',
  )
})

test.each<[string, boolean, string, string, number?]>([
  ['deposit-return-app-1', false, 'Return $500.00', '#give-back', 500_00],
  ['deposit-rest-app-1', false, 'Return deposit', '#give-back'],
  ['deposit-claim-app-1', false, 'Send statement', '#send-statement'],
  ['deposit-letter-1', true, 'Open', ''],
])(
  'the warning %s is a task before the others; its deposit is told beside it: %s [LOOK-70]',
  async (id, isToldToo, action, hash, returnCents) => {
    changeAnswer('notices.list', data => {
      const opened = { kind: 'application', applicationId: 'app-1', returnCents }
      const title = 'Gabe’s deposit: 5 days left'
      data.notices = [{ id, tone: 'warning', title, detail: '', at: null, action: opened }]
    })
    changeAnswer('notices.ownerDay', data => {
      const of = { detail: '', action: 'Look' }
      const kind = id.includes('claim') ? 'send_statement' : 'return_deposit'
      data.tasks = [
        { ...of, applicationId: 'app-1', kind, title: 'Gabe is owed the deposit' },
        { ...of, applicationId: 'app-2', kind: 'answer', title: 'Mia waits' },
      ]
      data.taskCount = 2
    })
    await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
    const tasks = within(await screen.findByRole('region', { name: 'Needs you' }))
    await tasks.findByText(`Needs you (${isToldToo ? 3 : 2})`)
    expect(tasks.getAllByRole('link').map(link => link.getAttribute('aria-label'))).toEqual([
      `${action}: Gabe’s deposit: 5 days left`,
      ...(isToldToo ? ['Look: Gabe is owed the deposit'] : []),
      'Look: Mia waits',
    ])
    expect(tasks.getAllByRole('link')[0]?.getAttribute('href')).toBe(`/admin/application/app-1${hash}`)
    expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull()
  },
)

test.each<[string, number | undefined, string[]]>([
  ['return', 315_00, []],
  ['claim', 315_00, []],
  ['return', undefined, ['Look: Gabe is owed the deposit']],
])(
  'an overdue deposit (%s) whose notice can return it (%s) is no task as well [LOOK-70]',
  async (what, returnCents, tasks) => {
    changeAnswer('notices.list', data => {
      const opened = { kind: 'application', applicationId: 'app-1', returnCents }
      const title = 'Gabe’s deposit is late'
      data.notices = [
        { id: `deposit-${what}-app-1`, tone: 'danger', title, detail: '', at: null, action: opened },
      ]
    })
    changeAnswer('notices.ownerDay', data => {
      const title = 'Gabe is owed the deposit'
      data.tasks = [{ detail: '', action: 'Look', applicationId: 'app-1', kind: 'return_deposit', title }]
      data.taskCount = 1
    })
    await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
    await says('Gabe’s deposit is late')
    const links = screen.queryAllByRole('link', { name: /^Look/ })
    expect(links.map(link => link.getAttribute('aria-label'))).toEqual(tasks)
  },
)

test('on a phone warnings are one line below the dangers, which stay open', async () => {
  changeAnswer('notices.list', data => {
    const of = { detail: '', at: null, action: null }
    data.notices = [
      { ...of, id: 'two', tone: 'warning', title: 'Test cards' },
      { ...of, id: 'one', tone: 'danger', title: 'Gone' },
      { ...of, id: 'three', tone: 'warning', title: 'Localhost' },
    ]
  })
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  const notices = within(await screen.findByRole('region', { name: 'Notices' }))
  const isFolded = (title: string) => notices.getByText(title).closest('.max-sm\\:hidden') !== null
  const folded = () => ['Gone', 'Test cards', 'Localhost'].filter(isFolded)
  expect(folded()).toEqual(['Test cards', 'Localhost'])
  const order = notices.getAllByText(/^(2 notices|Gone|Test cards|Localhost)$/)
  expect(order.map(each => each.textContent)).toEqual(['Gone', '2 notices', 'Test cards', 'Localhost'])
  await press('2 notices', notices)
  expect(folded()).toEqual([])
})

test('the notice about two-step verification opens the setup, and can be postponed [SAFE-02]', async () => {
  const notice = await openWith({ kind: 'two_step', id: 'admin-without-factor' })
  await press('Set up', notice)
  const settings = within(await screen.findByRole('dialog', { name: 'Settings' }))
  const tab = await settings.findByRole('tab', { name: 'Security' })
  expect(tab.getAttribute('aria-selected')).toBe('true')
  await press('Close', settings)
  const sent = recordInputs('notices.putOff')
  await press('Remind me in 30 days', notice)
  await says('You will be reminded in 30 days.')
  expect(sent).toEqual([{ id: 'admin-without-factor' }])
  await isAt('/admin/dashboard')
})
