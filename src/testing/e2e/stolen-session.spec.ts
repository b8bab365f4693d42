import { adminToken, call } from './accounts.ts'
import { apply, openAsAdmin } from './admin-pages.ts'
import { scan } from './leases.ts'
import { admin, expect, test } from './site.ts'

// A site of its own, because its clock moves on.
test.use({ siteEnv: { CLOCK_OFFSET: '1' } })

test('without a recent proof, uploading a signed lease asks for the password and then continues [FIX-32]', async ({
  page,
  site,
}) => {
  const { id } = await apply(site, 'approved')
  await call(site, 'POST', `/api/lease/generate/${id}`, { token: await adminToken(site), body: {} })
  await openAsAdmin(page, site, `/admin/application/${id}`)
  const lease = page.getByRole('region', { name: 'Lease Information', exact: true })
  await lease.getByRole('button', { name: 'Upload Signed Lease' }).click()
  await lease.locator('input[type=file]').setInputFiles(scan('scan.pdf'))
  await site.restart({ CLOCK_OFFSET: '11m' })
  await lease.getByRole('button', { name: 'Upload Signed Lease' }).click()

  const question = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  await question.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Signed lease uploaded successfully!')).toBeVisible()
  await expect(lease).toContainText('Scan uploaded by the administrator')
})
