import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addenda, charges, claims, leases } from '../../../db/schema.ts'
import { createDeps } from '../../server/create-deps.ts'
import { sweepFiles } from '../../server/kernel/files/stored-file.ts'
import { tickSignings } from '../../server/leases/signing/complete.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { makeLease, signLease, snapshotState } from '../build-lease.ts'
import { gusEmail, linksOf, signatureOf } from '../build-signing.ts'
import { type TestApp, testApp, testNow } from '../test-app.ts'
import { runUntilKilled } from './killed-process.ts'

/** A stay from June 1 to July 1 with a signed lease, whose addendum adds 14 nights. */
async function site() {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  await signLease(app, tenant, id)
  const make = async () => {
    const change = { applicationId: id, leaseEndDate: '2026-07-15', rentalAmount: 2500 }
    return (await app.as(admin).addenda.make(change)).addendum
  }
  const sign = async (addendumId: string) => {
    const { addendumTextSha256, noticeSha256 } = await app.as(tenant).addenda.get({ addendumId })
    const signature = { typedName: 'Maya Rivers', consent: true }
    const given = { addendumId, addendumTextSha256, noticeSha256, ...signature }
    return (await app.as(tenant).addenda.sign(given)).addendum
  }
  const kill = (point: string, ...args: string[]) =>
    runUntilKilled(app, 'lease-process.ts', args, { FAILPOINT: point, NOW: testNow })
  return { app, admin, id, tenant, make, sign, kill }
}

const rowsOf = (app: TestApp) => {
  const { stored: _, ...rows } = snapshotState(app)
  const { db } = app.deps
  return {
    ...rows,
    // Who signs reads it first.
    events: rows.events
      .filter(({ kind }) => kind !== 'lease.addendum_viewed')
      .map(({ id: _, ...row }) => row),
    addenda: db.select().from(addenda).all(),
    claims: db.select().from(claims).all(),
    charges: db.select().from(charges).all(),
  }
}

/** What the next start does with files that no row names. */
async function startAgain({ deps }: TestApp) {
  const { close, deps: again } = await createDeps(deps.config, { log: deps.log, clock: deps.clock })
  const swept = await sweepFiles(again)
  close()
  return swept
}

const isSound = async (app: TestApp) =>
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])

test('killed at in-addendum-write, an addendum is made with all or nothing [CHANGE-22, CHANGE-24]', async () => {
  const { admin, app, id, kill, make } = await site()
  const before = rowsOf(app)
  expect(await kill('in-addendum-write', 'make-addendum', id, admin.userId)).toBe('SIGKILL')
  expect(rowsOf(app)).toEqual(before)
  expect(await make()).toMatchObject({ number: 1, state: 'open' })
  await isSound(app)
})

test.each(['in-addendum-signature', 'before-sign-commit'])(
  'killed at %s, an addendum stays open with its nights, and is signed with one file [CHANGE-26]',
  async point => {
    const { app, kill, make, sign, tenant } = await site()
    const { id } = await make()
    const before = rowsOf(app)
    expect(await kill(point, 'sign-addendum', id, tenant.userId)).toBe('SIGKILL')
    expect(rowsOf(app)).toEqual(before)
    expect(await startAgain(app)).toEqual({ orphaned: 1, missing: 0 })
    expect((await sign(id)).state).toBe('signed')
    expect(app.deps.db.select().from(claims).all()).toMatchObject([{ endedAs: 'done' }])
    expect(rowsOf(app).files).toHaveLength(before.files.length + 1)
    await isSound(app)
  },
)

test('killed after the commit of an addendum’s signature, all of it is stored [CHANGE-26]', async () => {
  const { app, kill, make, tenant } = await site()
  const { id } = await make()
  expect(await kill('after-sign-commit', 'sign-addendum', id, tenant.userId)).toBe('SIGKILL')
  expect(await startAgain(app)).toEqual({ orphaned: 0, missing: 0 })
  const rows = rowsOf(app)
  expect(rows.applications).toMatchObject([{ stayEndDate: '2026-07-15' }])
  expect(rows.claims).toMatchObject([{ endedAs: 'done' }])
  expect(rows.charges.filter(({ addendumId }) => addendumId === id)).not.toEqual([])
  expect(rows.outbox.filter(({ kind }) => kind === 'addendum-signed-copy')).toHaveLength(2)
  await isSound(app)
})

test.each(['after-signer-signed', 'in-addendum-signature', 'before-signing-commit', 'after-signing-commit'])(
  'killed at %s of the last signature by a link, an addendum is completed once at the next start [SIGNER-11]',
  async point => {
    const { admin, app, id: applicationId, kill, make, tenant } = await site()
    const { id: addendumId } = await make()
    const guarantor = { role: 'guarantor' as const, firstName: 'Gus', lastName: 'Grant', email: gusEmail }
    await app.as(admin).signing.adminInvite({ applicationId, addendumId, signers: [guarantor] })
    const links = linksOf(app)
    const { addendumTextSha256, noticeSha256 } = await app.as(tenant).addenda.get({ addendumId })
    const document = { textSha256: addendumTextSha256 }
    await app.as(tenant).addenda.sign({
      ...signatureOf({ document, noticeSha256 }),
      addendumId,
      addendumTextSha256,
    })
    expect(await kill(point, 'link', applicationId, '', links.tokenOf(gusEmail))).toBe('SIGKILL')
    const isStored = () =>
      app.deps.db.select().from(leases).where(eq(leases.id, addendumId)).get()?.signedAt !== null
    expect(isStored()).toBe(point === 'after-signing-commit')
    await startAgain(app)
    await tickSignings(app.deps)
    await tickSignings(app.deps)
    expect(isStored()).toBe(true)
    expect(app.deps.db.select().from(claims).all()).toMatchObject([{ endedAs: 'done' }])
    expect(rowsOf(app).outbox.filter(({ kind }) => kind === 'addendum-signed-copy')).toHaveLength(3)
    await isSound(app)
  },
)
