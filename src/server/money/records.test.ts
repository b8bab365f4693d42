import { expect, test } from 'vitest'
import { payments } from '../../../db/schema.ts'
import { paymentTypes } from '../../domain/money/ledger.ts'
import { buildManualPayment, paymentApp } from '../../testing/build-payment.ts'
import { accountOf } from './accounts.ts'
import { ledgerOf, ledgersOf } from './records.ts'

test('the ledger of an application has its rows of every type, transfers included [MONEY-04, MONEY-09]', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const { id } = await app.makeApplication(tenant)
  await app.as(admin).payments.addManual(buildManualPayment(id))
  const { db } = app.deps
  const row = db.select().from(payments).get()
  if (!row) throw new Error('no payment')
  await app.deps.write(tx => {
    tx.delete(payments).run()
    for (const type of paymentTypes)
      tx.insert(payments)
        .values({ ...row, id: type, type })
        .run()
  })
  const typesOf = (rows: readonly { type: string }[] = []) => rows.map(({ type }) => type).sort()
  const all = [...paymentTypes].sort()
  expect(typesOf(ledgerOf(db, { id, userId: tenant.userId }))).toEqual(all)
  expect(typesOf(ledgersOf(db, [id]).get(id))).toEqual(all)
  expect(typesOf(accountOf(db, { applicationId: id, userId: tenant.userId }).rows)).toEqual(all)
})
