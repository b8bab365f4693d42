import type { Locator, Page } from '@playwright/test'
import { call, makeTenant, signIn } from './accounts.ts'
import { freeStay } from './applications.ts'
import { makeLease } from './leases.ts'
import { expect, test } from './site.ts'

type Payment = { amount: number; paymentType: string }

/** Counts clicks; what is typed or chosen in a field does not count. */
function counter() {
  let clicks = 0
  return {
    click: async (target: Locator) => {
      await target.click()
      clicks++
    },
    count: () => clicks,
  }
}

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('a booking takes few clicks', async ({ page, site }) => {
  await test.step('a guest comes from the home page to a sent application in six clicks besides the fields [LOOK-92]', async () => {
    const { click, count } = counter()
    const { requestedEndDate, requestedStartDate } = freeStay()
    const email = `clicks-${Date.now()}@guest.example`
    await page.goto('/')
    await click(page.getByRole('link', { name: 'APPLY NOW' }).first())
    await page.getByLabel('First name').fill('Maya')
    await page.getByLabel('Last name').fill('Rivers')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel(/^Password/).fill('sandcastle')
    await page.getByLabel('Confirm password').fill('sandcastle')
    await click(button(page, 'Create account'))
    await expect(page).toHaveURL('/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel(/^Password/).fill('sandcastle')
    await click(button(page, 'Log in'))
    await click(page.getByRole('link', { name: 'Create Application' }))
    await main(page)
      .getByLabel(/lease start/i)
      .fill(requestedStartDate)
    await main(page)
      .getByLabel(/lease end/i)
      .fill(requestedEndDate)
    await main(page).getByLabel(/phone/i).fill('(850) 555-0123')
    await main(page)
      .getByLabel(/street/i)
      .fill('4 Dune Road')
    await main(page).getByLabel(/city/i).fill('Tallahassee')
    await main(page).getByLabel(/state/i).selectOption('FL')
    await main(page).getByLabel(/zip/i).fill('32301')
    await click(button(page, 'Submit Application'))
    await expect(page.getByRole('region', { name: 'Next step' })).toContainText('Nothing is charged now.')
    expect(count()).toBeLessThanOrEqual(6)
  })
  await test.step('a tenant comes from the lease to all paid in six clicks: three to sign, three to pay deposit and rent in one checkout [LOOK-80, LOOK-92]', async () => {
    const { click, count } = counter()
    const token = await signIn(page, site, await makeTenant(site))
    const { id } = await makeLease(site, token)
    await page.goto('/dashboard')
    const lead = page.getByRole('region', { name: 'Next step' })
    await click(lead.getByRole('link', { name: 'Sign Lease' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('Maya Rivers')
    await click(dialog.getByRole('checkbox'))
    await click(dialog.getByRole('button', { name: /sign lease/i }))
    await expect(lead).toContainText('Pay $3,000.00')
    await click(lead.getByRole('link', { name: 'Pay now' }))
    await click(button(page, 'Proceed to Payment · $3,090.00'))
    await click(button(page, /^Pay$/))
    await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
    for (const told of ['Payment TypeDeposit and rent', 'Deposit$500.00', 'Rent$2,500.00', 'Card fee$90.00'])
      await expect(main(page)).toContainText(told)
    await expect(lead).toContainText('Your stay is booked')
    expect(count()).toBe(6)
    const { payments } = await call(site, 'GET', `/api/payment/history?applicationId=${id}`, { token })
    expect(payments.map(({ amount, paymentType }: Payment) => [paymentType, amount]).toSorted()).toEqual([
      ['deposit', 500_00],
      ['rent', 2500_00],
    ])
  })
})
