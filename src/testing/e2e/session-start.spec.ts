import { signInAsAdmin } from './accounts.ts'
import { expect, test } from './site.ts'

test('leaving a page while the session is being checked does not end the session', async ({ page, site }) => {
  await signInAsAdmin(page, site)
  await page.route(/\/trpc\/[^?]*accounts\.verify/, async route => {
    await new Promise(resolve => setTimeout(resolve, 300))
    // The page that sent the request may already be gone.
    await route.continue().catch(() => undefined)
  })
  for (const path of ['/admin/rates', '/admin/revenue', '/privacy']) {
    const asked = page.waitForRequest(/accounts\.verify/)
    await page.goto(path, { waitUntil: 'commit' })
    await asked
  }
  await page.unroute(/\/trpc\/[^?]*accounts\.verify/)
  await page.goto('/admin/rates')
  await expect(page.getByRole('heading', { name: 'Rates Management' })).toBeVisible()
})
