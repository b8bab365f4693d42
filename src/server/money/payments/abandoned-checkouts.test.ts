import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments } from '../../../../db/schema.ts'
import { paymentApp } from '../../../testing/build-payment.ts'
import { accountsOfUser } from '../accounts.ts'
import { ledgerOf, ledgersOf, unlinkedLedger } from '../records.ts'

test('abandoned checkouts, of which an account may have thousands, are not loaded with its payments', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  for (const of of [{}, { applicationId }]) {
    const row = await app.checkout(tenant, { ...of, paymentType: 'deposit' })
    const abandoned = { ...row, status: 'canceled' as const, checkoutSessionId: null }
    await app.deps.write(tx => {
      for (let at = 0; at < 3; at++)
        tx.insert(payments)
          .values({ ...abandoned, id: `${row.id} ${at}` })
          .run()
    })
  }
  const { db } = app.deps
  const open = db.select().from(payments).where(eq(payments.status, 'pending')).all()
  expect(open).toHaveLength(2)
  expect(unlinkedLedger(db, tenant.userId)).toEqual(open.filter(row => row.applicationId === null))
  expect(ledgerOf(db, { id: applicationId, userId: tenant.userId })).toEqual(
    open.filter(row => row.applicationId === applicationId),
  )
  expect(accountsOfUser(db, tenant.userId).flatMap(({ rows }) => rows)).toHaveLength(2)
  expect(ledgersOf(db, [applicationId]).get(applicationId)).toHaveLength(1)
})
