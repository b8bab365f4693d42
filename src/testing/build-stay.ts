import { randomUUID } from 'node:crypto'
import { staySection } from '../domain/arrival/stay-settings.ts'
import type { AppError } from '../domain/common/errors.ts'
import { tickStays } from '../server/arrival/gate.ts'
import { makeLease, signLease } from './build-lease.ts'
import { storePayment } from './build-signed-plan.ts'
import { type TestApp, testApp } from './test-app.ts'

/** What a call was refused with. */
export async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => ({ code: 'no refusal', message: '' }),
    (error: Error & { code: string; cause?: Partial<AppError> }) => error,
  )
  const { fields, current } = ('cause' in error && error.cause) || {}
  return { code: error.code, message: error.message, fields, current }
}

export const [perStay, standing] = [randomUUID(), randomUUID()]
export const password = 'sea-and-sand'
export const checkIn = '2026-06-01T20:00:00.000Z'
export const opening = '2026-05-30T20:00:00.000Z'

/** A signed and paid stay from June 1 to July 1 with two locks and a Wi-Fi, switched on. */
export async function stayApp({
  isPaid = true,
  ...options
}: { isPaid?: boolean } & Parameters<typeof testApp>[0] = {}) {
  const app = await testApp(options)
  const { admin, id, tenant } = await makeLease(app)
  await signLease(app, tenant, id)
  const owner = () => app.as(admin)
  await owner().settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const save = async (section: string, body: object, more = {}) => {
    const { version = 0 } = (await owner().stays.arrival()).sections[section] ?? {}
    return owner().stays.saveSection({ section, version, body, ...more })
  }
  await save('entry', {
    text: 'Up the stairs.',
    locks: [
      { id: perStay, name: 'Front door', kind: 'per_stay', digits: 6, hint: '' },
      { id: standing, name: 'Garage', kind: 'standing', digits: 4, hint: 'On the left' },
    ],
  })
  await owner().stays.changeCode({ lockId: standing, code: '73A9' })
  await save('wifi', { network: 'Beach;House' }, { password })
  if (isPaid) await pay(app, id, tenant.userId)
  const show = (lockId: string) => app.as(tenant).stays.showCode({ applicationId: id, lockId })
  const gate = async () => (await app.as(tenant).stays.get({ applicationId: id })).stay?.gate
  const at = async (iso: string) => {
    app.setNow(iso)
    await tickStays(app.deps)
  }
  /** Changes the lease by an addendum that the tenant signs. */
  const change = async (terms: { leaseStartDate?: string; leaseEndDate?: string; rentalAmount?: number }) => {
    const { id: addendumId } = (await owner().addenda.make({ applicationId: id, ...terms })).addendum
    const { addendumTextSha256, noticeSha256 } = await app.as(tenant).addenda.get({ addendumId })
    const signature = { typedName: 'Maya Rivers', consent: true, addendumTextSha256, noticeSha256 } as const
    await app.as(tenant).addenda.sign({ addendumId, ...signature })
  }
  return { admin, app, tenant, owner, id, save, show, gate, at, change }
}

export const pay = (app: TestApp, applicationId: string, userId: string) =>
  app.deps.write(tx => {
    for (const [type, amountCents] of [
      ['deposit', 500_00],
      ['rent', 2500_00],
    ] as const)
      storePayment(tx, { userId, applicationId, type, amountCents })
  })
