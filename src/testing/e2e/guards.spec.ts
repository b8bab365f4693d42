import { makeTenant, signIn } from './accounts.ts'
import { expect, test } from './site.ts'

test('a guarded document shows a spinner while its user loads, and keeps its address [GUARD-01, GUARD-15]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(/accounts\.verify/, async route => {
    await held
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading...')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})
