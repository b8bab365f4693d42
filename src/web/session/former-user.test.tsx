// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../../testing/build-account.ts'
import { dates, makeBooking } from '../../testing/build-application.ts'
import { tokenOf } from '../../testing/build-lease.ts'
import {
  appOfFile,
  fill,
  isAt,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  says,
} from '../../testing/component.tsx'

const site = appOfFile()
const street = '12 Former Lane'
const who = ['tenant', 'admin'] as const

/** Hidden from the page are changes in other tabs, as in the back/forward cache or in a frozen tab. */
const returnToPage = {
  'from the back/forward cache': () =>
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
  'as a tab that becomes visible again': () => document.dispatchEvent(new Event('visibilitychange')),
  'as a frozen tab that resumes': () => document.dispatchEvent(new Event('resume')),
}
const ways = Object.entries(returnToPage)
const cases = who.flatMap(role => ways.map(([how, act]) => ({ role, how, act })))

/** Opens a screen of the tenant or of the owner, with data that nobody else may see. */
async function open(role: (typeof who)[number]) {
  const tenant = await site.app.makeTenant()
  const admin = await site.app.makeAdmin()
  const year = 2040 + opened++
  const { id, applicationNumber } = await makeBooking(site.app, tenant, admin, {
    ...dates(`${year}-06-01`, `${year}-07-01`),
    address: { street, city: 'Elsewhere', state: 'FL', zipCode: '32000' },
  })
  const [path, actor] =
    role === 'admin' ? [`/admin/application/${id}`, admin] : [`/application/${id}`, tenant]
  const { user, token = '' } = await openScreen(site.app, path, actor)
  await screen.findAllByText(new RegExp(street))
  await says('Welcome, ')
  return { user, token, secrets: [street, applicationNumber, 'Welcome, Maya'] }
}
let opened = 0

const signOutElsewhere = () => localStorage.removeItem('token')
async function signInElsewhere() {
  const zelda = await site.app.makeTenant({ firstName: 'Zelda' })
  const token = await tokenOf(site.app, zelda)
  localStorage.setItem('token', token)
  return token
}

function expectCleared(secrets: string[]) {
  for (const secret of secrets) expect(document.body.textContent).not.toContain(secret)
}

/** Holds every request that verifies the session until `release` is called. */
function holdVerify() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const state = { asked: 0, release }
  onCall('accounts.verify', async send => {
    state.asked++
    await held
    return send()
  })
  return state
}

/** A tenant may not open the owner's screens, and sees the tenant screens without the other tenant's application. */
const showsZelda = (role: string) => (role === 'admin' ? isAt('/admin/login') : says('Welcome, Zelda'))

/** Types a phone number in the settings without saving it. */
async function typePhone(user: Awaited<ReturnType<typeof openScreen>>['user']) {
  await press('Settings')
  const dialog = within(await screen.findByRole('dialog', { name: 'Settings' }))
  await user.click(await dialog.findByRole('tab', { name: 'Profile' }))
  const phone = await dialog.findByLabelText<HTMLInputElement>(/^Phone/)
  fill({ Phone: '850-555-0177' }, dialog)
  return phone
}

test.each(cases)(
  "after a sign-out elsewhere, the $role's page that returns $how is cleared immediately [FIX-11]",
  async ({ role, act }) => {
    const { secrets } = await open(role)
    signOutElsewhere()
    act()
    expectCleared(secrets)
    await isAt(role === 'admin' ? '/admin/login' : '/')
  },
)

test.each(cases)(
  "after another user's login elsewhere, the $role's page that returns $how is cleared before any request [FIX-11]",
  async ({ role, act }) => {
    const { secrets } = await open(role)
    await signInElsewhere()
    const verify = holdVerify()
    act()
    expectCleared(secrets)
    await waitFor(() => expect(verify.asked).toBe(1))
    verify.release()
    await showsZelda(role)
    expectCleared(secrets)
  },
)

test.each(who)(
  "after the session has expired, the %s's page that returns is cleared once the server reports it [FIX-11]",
  async role => {
    const { token, secrets } = await open(role)
    await call(site.app, 'POST', '/api/auth/logout', { token })
    returnToPage['from the back/forward cache']()
    await isAt(role === 'admin' ? '/admin/login' : '/login')
    await says('Your session has ended. Please log in again.')
    expectCleared(secrets)
    expect(localStorage.getItem('token')).toBeNull()
  },
)

test.each(who)(
  "for the same user, the %s's page that returns keeps everything and only verifies the session [FIX-11]",
  async role => {
    const { user } = await open(role)
    const phone = await typePhone(user)
    const verified = recordInputs('accounts.verify')
    const read = recordInputs(role === 'admin' ? 'applications.adminGet' : 'applications.get')
    for (const [, act] of ways) {
      act()
      expect(document.body.textContent).toContain(street)
      expect(phone.value).toBe('850-555-0177')
    }
    await waitFor(() => expect(verified.length).toBeGreaterThan(0))
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(phone.value).toBe('850-555-0177')
    expect(read).toEqual([])
  },
)

test('without a network, a page that returns for the same user stays [FIX-11]', async () => {
  await open('tenant')
  let asked = 0
  onCall('accounts.verify', () => {
    asked++
    return noAnswer()
  })
  returnToPage['from the back/forward cache']()
  await waitFor(() => expect(asked).toBe(1))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(document.body.textContent).toContain(street)
  expect(localStorage.getItem('token')).not.toBeNull()
})

test('a request from the previous user’s page is not sent as the user who has signed in since [FIX-11]', async () => {
  const { user } = await open('tenant')
  await typePhone(user)
  const sent = recordInputs('accounts.updateProfile')
  const token = await signInElsewhere()
  await press('Save profile')
  await says('Welcome, Zelda')
  expect(sent).toEqual([])
  const { body } = await call(site.app, 'GET', '/api/auth/profile', { token })
  expect(body.user).toMatchObject({ firstName: 'Zelda', phone: '' })
})

test('a response for the previous user is not shown [FIX-11]', async () => {
  const { user, secrets } = await open('tenant')
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  onCall('applications.status', async send => {
    const response = await send()
    answer()
    await held
    return response
  })
  await user.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] as Element)
  await answered
  await signInElsewhere()
  returnToPage['from the back/forward cache']()
  release()
  await says('Welcome, Zelda')
  await says('Ready to Get Started?')
  expectCleared(secrets)
})

test('a change by the previous user that is in flight reports nothing to the next user [FIX-11]', async () => {
  const { user } = await open('tenant')
  await typePhone(user)
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  onCall('accounts.updateProfile', async send => {
    const response = await send()
    ask()
    await held
    return response
  })
  await press('Save profile')
  await asked
  await signInElsewhere()
  returnToPage['from the back/forward cache']()
  await says('Welcome, Zelda')
  release()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(document.body.textContent).not.toMatch(/Profile updated|fail/i)
})
