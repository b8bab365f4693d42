import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accessLinks } from '../../../db/schema.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readStoredFile, sweepFiles } from '../../server/kernel/files/stored-file.ts'
import { tickSignings } from '../../server/leases/signing/complete.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { makeLease, signLease, snapshotState, storedLease } from '../build-lease.ts'
import { makeSigning, others, zoeEmail } from '../build-signing.ts'
import { type TestApp, testApp } from '../test-app.ts'
import { runUntilKilled } from './killed-process.ts'

const early = [
  // Both actions store their file in the same way.
  ['sign', 'file-written'],
  ['sign', 'file-renamed'],
  ['sign', 'before-sign-commit'],
  ['sign', 'in-sign-write'],
  ['upload', 'before-upload-commit'],
  ['upload', 'in-upload-write'],
] as const

/** The store as the next process finds it, after the startup sweep. */
async function reopened(app: TestApp) {
  const { deps, close } = await createDeps(app.deps.config, { log: app.deps.log, clock: app.deps.clock })
  const swept = await sweepFiles(deps)
  return { again: { ...app, deps }, deps, close, swept }
}

test.each(early)(
  'killed in %s, at %s: changes nothing, and the lease can be signed',
  async (action, point) => {
    const app = await testApp()
    const { tenant, id } = await makeLease(app)
    const before = snapshotState(app)
    expect(
      await runUntilKilled(app, 'lease-process.ts', [action, id, tenant.userId], { FAILPOINT: point }),
    ).toBe('SIGKILL')
    const { again, close, swept } = await reopened(app)
    const { stored, ...rows } = snapshotState(again)
    const { stored: _, ...rowsBefore } = before
    expect(rows).toEqual(rowsBefore)
    expect(swept.missing).toBe(0)
    expect(stored.filter(name => !name.startsWith('orphans'))).toEqual(['incoming'])
    expect(readdirSync(join(app.deps.config.uploadsDir, 'orphans'))).toHaveLength(1)
    close()
    expect((await signLease(app, tenant, id)).application.leaseSigned).toBe(true)
  },
)

test.each(['sign', 'upload'])('killed after %s: everything is stored', async action => {
  const app = await testApp()
  const { tenant, id } = await makeLease(app)
  expect(
    await runUntilKilled(app, 'lease-process.ts', [action, id, tenant.userId], {
      FAILPOINT: `after-${action}-commit`,
    }),
  ).toBe('SIGKILL')
  const { again, deps, close, swept } = await reopened(app)
  const { lease, file } = storedLease(again, id)
  expect(swept).toEqual({ orphaned: 0, missing: 0 })
  expect(lease?.signedBy).toBe(action === 'sign' ? 'signature' : 'user_upload')
  if (!file) throw new Error('no file')
  expect((await readStoredFile(deps, file)).subarray(0, 5).toString()).toBe('%PDF-')
  const { outbox, events } = snapshotState(again)
  const copies = outbox.filter(({ kind }) => kind === 'lease-signed-copy')
  expect(copies).toHaveLength(action === 'sign' ? 2 : 0)
  expect(events.map(({ kind }) => kind)).toContain(action === 'sign' ? 'lease.signed' : 'lease.uploaded')
  close()
})

const afterLast = ['after-signer-commit', 'after-signer-signed', 'before-signing-commit', 'in-signing-write']

test.each([...afterLast, 'after-signing-commit'])(
  'killed after the last signature by a link, at %s: one file after the start [SIGNER-11]',
  async point => {
    const app = await testApp()
    const { id, sign, tenant, tenantEmail, tokenOf } = await makeSigning(app, others.slice(0, 1))
    await sign(tenantEmail)
    const token = tokenOf(zoeEmail)
    // The killed process has today's clock.
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    await app.deps.write(tx => tx.update(accessLinks).set({ expiresAt }).run())
    expect(
      await runUntilKilled(app, 'lease-process.ts', ['link', id, tenant.userId, token], { FAILPOINT: point }),
    ).toBe('SIGKILL')
    const { again, close, deps } = await reopened(app)
    expect(storedLease(again, id).lease?.signedAt === null).toBe(afterLast.includes(point))
    await tickSignings(deps)
    const { files, outbox } = snapshotState(again)
    expect(files.filter(({ contentType }) => contentType === 'application/pdf')).toHaveLength(1)
    expect(storedLease(again, id).lease).toMatchObject({ signedBy: 'signature' })
    expect(outbox.filter(({ kind }) => kind === 'lease-signed-copy')).toHaveLength(3)
    expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
    close()
  },
)
