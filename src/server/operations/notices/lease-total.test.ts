import { expect, test } from 'vitest'
import { minuteMs } from '../../../domain/common/durations.ts'
import { buildFeeRule } from '../../../testing/build-charge-rule.ts'
import { makeLease, signLease } from '../../../testing/build-lease.ts'
import { testApp } from '../../../testing/test-app.ts'

test('the owner is told that a tenant’s edit lowered the total of the generated lease, even after it is signed [FIX-32]', async () => {
  const app = await testApp()
  const setup = app.as(await app.makeAdmin())
  await setup.chargeRules.createFee(
    buildFeeRule({ name: 'Guest fee', per: 'guest', amountCents: 100_00, taxable: false }),
  )
  const { admin, id, tenant } = await makeLease(app, {
    secondApplicantFirstName: 'Ed',
    secondApplicantLastName: 'Fox',
  })
  const board = async () =>
    (await app.as(admin).notices.list()).notices.filter(({ id }) => id.startsWith('lease-total'))
  const edit = async (changes: object) => {
    app.advance(minuteMs)
    const { application } = await app.as(tenant).applications.get({ id })
    await app.as(tenant).applications.update({ ...application, ...changes })
  }
  await edit({ firstName: 'Mia' })
  expect(await board()).toEqual([])
  await edit({ firstName: 'Maya', secondApplicantFirstName: '', secondApplicantLastName: '' })
  const found = [
    {
      detail: expect.stringContaining(
        'It was $3,200.00 when the lease was generated and was $3,100.00 after',
      ),
      action: { kind: 'application', applicationId: id },
    },
  ]
  expect(await board()).toMatchObject(found)
  await edit({ secondApplicantFirstName: 'Ed', secondApplicantLastName: 'Fox' })
  expect(await board()).toEqual([])
  await edit({ secondApplicantFirstName: '', secondApplicantLastName: '' })
  await signLease(app, tenant, id)
  expect(await board()).toMatchObject(found)
  // A later charge of the owner is not part of the edit, even when it makes up for it.
  const lamp = { applicationId: id, kind: 'damage', label: 'Lamp', amountCents: 100_00 } as const
  await app.as(admin).charges.add(lamp)
  expect(await board()).toMatchObject(found)
  app.advance(15 * 24 * 60 * minuteMs)
  expect(await board()).toEqual([])
})

test('generating the lease again removes the notice about its total [FIX-32]', async () => {
  const app = await testApp()
  const setup = app.as(await app.makeAdmin())
  await setup.chargeRules.createFee(
    buildFeeRule({ name: 'Guest fee', per: 'guest', amountCents: 100_00, taxable: false }),
  )
  const { admin, id, tenant } = await makeLease(app, {
    secondApplicantFirstName: 'Ed',
    secondApplicantLastName: 'Fox',
  })
  const { application } = await app.as(tenant).applications.get({ id })
  await app
    .as(tenant)
    .applications.update({ ...application, secondApplicantFirstName: '', secondApplicantLastName: '' })
  const board = async () =>
    (await app.as(admin).notices.list()).notices.filter(({ id }) => id.startsWith('lease-total'))
  expect(await board()).toHaveLength(1)
  await app.as(admin).leases.generate({ applicationId: id, rentalAmount: 2500, depositAmount: 500 })
  expect(await board()).toEqual([])
})
