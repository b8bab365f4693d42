import { makeTenant, signIn } from './accounts.ts'
import { test as base, expect } from './site.ts'

// This screen is made to break, so the console may speak of it.
const test = base.extend({ strictConsole: async ({ page: _ }, use) => use(undefined) })

test('a screen that breaks shows a way back, and the rest of the app lives on [SHELL-20]', async ({
  page,
  site,
}) => {
  await signIn(page, site, await makeTenant(site))
  await page.route(/applications\.status/, route => {
    const names = new URL(route.request().url()).pathname.slice('/trpc/'.length).split(',')
    const broken = names.map(name => ({
      result: { data: name === 'applications.status' ? { hasApplications: true, applications: [null] } : {} },
    }))
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify(broken) })
  })
  await page.goto('/dashboard')
  await expect(page.getByText('Something went wrong on this page.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to the home page' })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click()
  await expect(page.getByRole('heading', { name: 'Contact Us' })).toBeVisible()
})
