// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { appOfFile, changeAnswer, isAt, openScreen, says } from '../../../testing/component.tsx'

/** Reviews, which load later, have footers of their own. */
const pageFooter = () => within(screen.getAllByRole('contentinfo').at(-1) as HTMLElement)

const owner = { email: 'owner@condo.example', phone: '850-555-0142' }
const site = appOfFile()
const bar = () => within(screen.getAllByRole('banner')[0] as HTMLElement)
const links = (inside: HTMLElement) =>
  within(inside)
    .getAllByRole('link')
    .map(link => [link.textContent, link.getAttribute('href')])
const expectBar = (expected: string[][]) =>
  waitFor(() => expect(links(bar().getAllByRole('navigation')[0] as HTMLElement)).toEqual(expected))

const publicBar = [
  ['Home', '/'],
  ['Apply', '/register'],
  ['Login', '/login'],
  ['Contact', '/contact'],
]

test.each(['/', '/contact', '/privacy', '/terms', '/login', '/register'])(
  'a visitor sees the public bar and the footer at %s, without a login [SHELL-01, SHELL-03, SHELL-14, SHELL-15, SHELL-16, SHELL-17]',
  async path => {
    await openScreen(site.app, path)
    await screen.findByRole('heading', { level: 1 })
    await isAt(path)
    await expectBar(publicBar)
    const footer = pageFooter()
    expect(links(footer.getByRole('navigation'))).toEqual([
      ['Home', '/'],
      ['Apply Now', '/register'],
      ['Tenant Portal', '/login'],
      ['Contact Us', '/contact'],
      ['Admin Login', '/admin/login'],
      ['Privacy Policy', '/privacy'],
      ['Terms of Service', '/terms'],
    ])
    const href = (name: string) => footer.getByRole('link', { name }).getAttribute('href')
    await footer.findByRole('link', { name: owner.email })
    expect(href(owner.email)).toBe(`mailto:${owner.email}`)
    expect(href(owner.phone)).toBe(`tel:${owner.phone.replaceAll('-', '')}`)
  },
)

test.each(['/', '/contact', '/privacy', '/terms'])('%s requires no login [SHELL-21]', async path => {
  await openScreen(site.app, path)
  await screen.findByRole('heading', { level: 1 })
  await isAt(path)
  expect(screen.queryByRole('dialog')).toBeNull()
})

const signedIn: [who: string, path: string, () => Promise<SignedIn>, string[][]][] = [
  [
    'a tenant',
    '/contact',
    () => site.app.makeTenant(),
    [
      ['Dashboard', '/dashboard'],
      ['Application', '/application'],
      ['Contact', '/contact'],
    ],
  ],
  ['an admin', '/contact', () => site.app.makeAdmin(), [['Admin Dashboard', '/admin/dashboard']]],
  [
    'an admin',
    '/admin/rates',
    () => site.app.makeAdmin(),
    [
      ['Dashboard', '/admin/dashboard'],
      ['Revenue', '/admin/revenue'],
      ['Rates', '/admin/rates'],
      ['Availability', '/admin/availability'],
      ['Site', '/admin/site'],
    ],
  ],
]

test.each(signedIn)(
  '%s sees the right bar at %s, with settings and a logout [SHELL-04, SHELL-06, SHELL-07, SHELL-13, ADMNAV-01, ADMNAV-02]',
  async (_who, path, make, expected) => {
    await openScreen(site.app, path, await make())
    await expectBar(expected)
    bar().getByText('Welcome, Maya')
    bar().getByRole('button', { name: 'Settings' })
    bar().getByRole('button', { name: 'Logout' })
    expect(bar().queryAllByRole('link', { name: 'New booking' })).toHaveLength(
      path === '/admin/rates' ? 1 : 0,
    )
  },
)

test('the footer of a public page leads a tenant to application and dashboard [SHELL-05, SHELL-08]', async () => {
  const { user } = await openScreen(site.app, '/contact', await site.app.makeTenant())
  await says('Welcome, Maya')
  const footer = pageFooter()
  expect(footer.getByRole('link', { name: 'Apply Now' }).getAttribute('href')).toBe('/application')
  await user.click(footer.getByRole('link', { name: 'Tenant Portal' }))
  await isAt('/dashboard')
})

test.each(['/', '/terms', '/register'])(
  'a visitor of a site that is not open sees that at %s [OPEN-01]',
  async path => {
    changeAnswer('site.get', ({ site }) => Object.assign(site as object, { opening: 'never' }))
    await openScreen(site.app, path)
    await says('Opening soon')
    expect(screen.queryByRole('textbox')).toBeNull()
  },
)

test('the footer of a site that is not open says the town, without the street [OPEN-01]', async () => {
  changeAnswer('site.get', ({ site }) => Object.assign(site as object, { opening: 'never' }))
  await openScreen(site.app, '/admin/login')
  await waitFor(() => expect(document.body.textContent).toContain('Seabright Beach, FL'))
  expect(document.body.textContent).not.toContain('Ocean Walk')
})

test('the back office greets an administrator without a name by email, and says that this is a demo [ADMNAV-05, LOOK-98]', async () => {
  const email = 'keeper@condo.example'
  await openScreen(site.app, '/admin/login')
  await expectBar([['Admin Login', '/admin/login']])
  await openScreen(site.app, '/admin/rates', await site.app.makeAdmin({ email, firstName: '', lastName: '' }))
  await says(`Welcome, ${email}`)
  // Only what precedes the @ may be cut.
  expect(bar().getByTitle(`Welcome, ${email}`).lastChild?.textContent).toBe('@condo.example')
  await says('This is the demo: no real money moves.')
  expect((await screen.findByRole('link', { name: 'Open the mailbox' })).getAttribute('href')).toBe(
    '/sandbox/mailbox',
  )
})

test('an unknown path shows a friendly screen with a way back [SHELL-19]', async () => {
  const { user } = await openScreen(site.app, '/no/such/place')
  await says('This page went out with the tide')
  await user.click(screen.getByRole('link', { name: 'Back to the home page' }))
  await isAt('/')
})

test('a broken screen shows a way back, and the rest of the app still works [SHELL-20]', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  changeAnswer('applications.status', data => {
    Object.assign(data, { hasApplications: true, applications: [null] })
  })
  const { user } = await openScreen(site.app, '/dashboard', await site.app.makeTenant())
  await says('Something went wrong on this page.')
  screen.getByRole('link', { name: 'Back to the home page' })
  await user.click(bar().getAllByRole('link', { name: 'Contact' })[0] as Element)
  await screen.findByRole('heading', { name: 'Contact Us' })
  vi.restoreAllMocks()
})
