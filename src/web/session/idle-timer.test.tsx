// @vitest-environment dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  appOfFile,
  isAt,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  says,
} from '../../testing/component.tsx'

const site = appOfFile()
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
})

const minutes = (count: number) => count * 60_000
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const warning = () => screen.queryByRole('dialog', { name: 'Session expiring soon' })
const moveMouse = () => document.body.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }))
const idleMessage = 'You were signed out after\u00a020 minutes of inactivity.'

/** Opens a screen as a signed-in user whose idle timer has just started. */
async function openIdle(who: 'tenant' | 'admin' = 'tenant', path = '/terms') {
  const actor = await (who === 'admin' ? site.app.makeAdmin() : site.app.makeTenant())
  const opened = await openScreen(site.app, path, actor)
  await says('Welcome')
  // It is loaded after the screen.
  const before = localStorage.getItem('lastActivity')
  await waitFor(() => {
    moveMouse()
    expect(localStorage.getItem('lastActivity')).not.toBe(before)
  })
  return opened
}

test('after 18 minutes the warning shows and counts down from 120 seconds [IDLE-01, IDLE-02, IDLE-03]', async () => {
  await openIdle()
  await advance(minutes(18) - 3_000)
  expect(warning()).toBeNull()
  await advance(3_000)
  const dialog = within(await screen.findByRole('dialog', { name: 'Session expiring soon' }))
  const seconds = () => Number(/(\d+) seconds?/.exec(warning()?.textContent ?? '')?.[1])
  const first = seconds()
  expect(first).toBeGreaterThan(117)
  expect(first).toBeLessThanOrEqual(120)
  await advance(31_000)
  expect(Math.abs(seconds() - (first - 31))).toBeLessThanOrEqual(1)
  dialog.getByRole('button', { name: 'Sign out now' })
  dialog.getByRole('button', { name: 'Stay signed in' })
})

test.each([
  ['tenant', '/application', '/login'],
  ['admin', '/admin/rates', '/admin/login'],
] as const)(
  'after 20 minutes the %s is signed out, with the reason shown [IDLE-04, IDLE-11, TOAST-04]',
  async (who, path, login) => {
    await openIdle(who, path)
    await advance(minutes(20) + 2_000)
    await isAt(login)
    await waitFor(() => expect(screen.getByRole('main').textContent).toContain(idleMessage))
    expect(localStorage.getItem('token')).toBeNull()
  },
)

const activities: [string, () => unknown][] = [
  ['a mouse move', moveMouse],
  ['a mouse press', () => document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))],
  ['a key', () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))],
  ['a touch', () => document.body.dispatchEvent(new Event('touchstart', { bubbles: true }))],
  ['scrolling', () => window.dispatchEvent(new Event('scroll'))],
  ['the window getting the focus', () => window.dispatchEvent(new Event('focus'))],
  ['the tab becoming visible', () => document.dispatchEvent(new Event('visibilitychange'))],
]

test.each(activities)(
  '%s restarts the timers and hides the warning [IDLE-05, IDLE-06]',
  async (_, doSomething) => {
    await openIdle()
    await advance(minutes(17))
    doSomething()
    await advance(minutes(17))
    expect(warning()).toBeNull()
    await advance(minutes(1) + 2_000)
    expect(warning()).not.toBeNull()
    doSomething()
    await advance(1_000)
    expect(warning()).toBeNull()
    await advance(minutes(17))
    await says('Welcome')
  },
)

test("'Stay signed in' verifies the session and restarts the timers [IDLE-07]", async () => {
  await openIdle()
  await advance(minutes(18) + 2_000)
  const verified = recordInputs('accounts.verify')
  await press('Stay signed in')
  await waitFor(() => expect(warning()).toBeNull())
  expect(verified).toHaveLength(1)
  await advance(minutes(17))
  expect(warning()).toBeNull()
  await says('Welcome')
})

test("'Stay signed in' signs the user out as idle if the session cannot be verified [IDLE-08]", async () => {
  await openIdle('tenant', '/application')
  await advance(minutes(18) + 2_000)
  onCall('accounts.verify', noAnswer)
  await press('Stay signed in')
  await isAt('/login')
  await says(idleMessage)
})

test.each([
  ['tenant', '/application', '/'],
  ['admin', '/admin/rates', '/admin/login'],
] as const)("'Sign out now' signs the %s out immediately [IDLE-09]", async (who, path, target) => {
  await openIdle(who, path)
  await advance(minutes(18) + 2_000)
  await press('Sign out now')
  await says('Logged out successfully')
  await isAt(target)
})

test('the timers do not run while nobody is signed in [IDLE-10]', async () => {
  await openScreen(site.app, '/terms')
  await advance(minutes(25))
  expect(warning()).toBeNull()
  expect(document.body.textContent).not.toContain(idleMessage)
})

test('a computer that sleeps past the limit signs the user out on waking [IDLE-12]', async () => {
  await openIdle('tenant', '/application')
  vi.setSystemTime(Date.now() + minutes(45))
  moveMouse()
  await isAt('/login')
  await says(idleMessage)
})

test('an active browser verifies the session at least every 10 minutes [IDLE-14]', async () => {
  await openIdle()
  const verified = recordInputs('accounts.verify')
  for (let step = 0; step < 6; step++) {
    await advance(minutes(5))
    moveMouse()
  }
  await waitFor(() => expect(verified.length).toBeGreaterThanOrEqual(3))
})
