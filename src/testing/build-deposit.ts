import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { buildCheckout, buildManualPayment, paymentApp } from './build-payment.ts'
import { refusal } from './build-stay.ts'

/** Noon at the property, on a day. */
export const noonOf = (date: string) => `${date}T17:00:00.000Z`

/**
 * A signed stay from June 1 to July 1 whose deposit of $500 was paid by card, with deposits watched by the rule
 * 'General'. The tenant left today.
 */
export async function depositApp({ ruleId = 'general', by = 'card' as 'card' | 'hand' | 'none' } = {}) {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const { id } = await app.makeApplication(tenant, { submittedAt: '2026-03-01T17:00:00.000Z' })
  const owner = () => app.as(admin)
  const body = { amountCents: 500_00, enabled: true, ruleId, since: '2026-01-01' }
  await owner().settings.deposit.save({ version: 0, body })
  const payByCard = async (amount = 500_00, paymentType: 'deposit' | 'rent' = 'deposit') => {
    const row = await app.checkout(tenant, buildCheckout({ amount, paymentType, applicationId: id }))
    app.provider.pay(row.checkoutSessionId)
    await app.provider.deliverDue()
    return row
  }
  const payByHand = (amount = 500_00, paymentType: 'deposit' | 'rent' = 'deposit') =>
    owner().payments.addManual({ ...buildManualPayment(id, { amount }), paymentType })
  if (by === 'card') await payByCard()
  if (by === 'hand') await payByHand()
  app.setNow(noonOf('2026-07-01'))
  const deposit = async () => {
    const { deposit } = await owner().deposits.get({ applicationId: id })
    if (!deposit || !('letters' in deposit)) throw new Error('no deposit')
    return deposit
  }
  const addItem = (amountCents: number, category: 'unpaid' | 'damage' | 'cleaning' = 'cleaning') =>
    owner().deposits.addItem({ applicationId: id, category, label: `What costs ${amountCents}`, amountCents })
  const sendStatement = (more: object = {}) =>
    owner().deposits.sendStatement({ applicationId: id, requestId: randomUUID(), how: 'email', ...more })
  const giveBack = (more: object = {}) =>
    owner().deposits.return({ applicationId: id, requestId: randomUUID(), ...more })
  const keep = (note = '', more: object = {}) => owner().deposits.keep({ applicationId: id, note, ...more })
  const guest = () => app.as(tenant)
  return {
    app,
    admin,
    tenant,
    id,
    owner,
    guest,
    payByCard,
    payByHand,
    deposit,
    addItem,
    sendStatement,
    giveBack,
    keep,
  }
}

/** Expects a refusal with this code, message, or these facts. */
export async function refused(call: Promise<unknown>, expected: string | object): Promise<void> {
  const text = String(expected)
  const facts = /^[A-Z_]+$/.test(text) ? { code: text } : { message: text }
  expect(await refusal(call)).toMatchObject(typeof expected === 'string' ? facts : expected)
}
