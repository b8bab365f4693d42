import { makeTenant, signIn, tokenOf } from './accounts.ts'
import { apply } from './admin-pages.ts'
import { admin, expect, test } from './site.ts'

const street = '12 Former Lane'

test('on another user’s login in another tab, the visible page of a tenant or an admin is cleared before it verifies the session [FIX-11]', async ({
  context,
  page,
  site,
}) => {
  const address = { street, city: 'Elsewhere', state: 'FL', zipCode: '32000' }
  const { id, account, number } = await apply(site, 'pending', { address })
  const other = await context.newPage()
  // The smallest file of the site; only its local storage is needed.
  await other.goto(`${site.url}/favicon.svg`)
  for (const [user, path] of [
    [account, `/application/${id}`],
    [admin, `/admin/application/${id}`],
  ] as const) {
    await signIn(page, site, user)
    await page.goto(path)
    await expect(page.getByRole('main').getByText(street).first()).toBeVisible()
    await expect(page.getByRole('banner').getByText('Welcome')).toBeVisible()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let asked = 0
    await page.route(/\/trpc\/[^?]*accounts\.verify/, async route => {
      asked++
      await held
      await route.continue().catch(() => undefined)
    })
    const token = await tokenOf(site, await makeTenant(site, { firstName: 'Zelda' }))
    await other.evaluate(value => localStorage.setItem('token', value), token)
    await expect.poll(() => asked).toBe(1)
    const text = await page.textContent('body')
    expect(text).not.toContain(street)
    expect(text).not.toContain(number)
    release()
    if (user === admin) await expect(page).toHaveURL('/admin/login')
    else await expect(page.getByRole('banner').getByText('Welcome, Zelda')).toBeVisible()
    await expect(page.getByText(number)).toHaveCount(0)
    await page.unrouteAll()
  }
})
