import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signers, signings } from '../../../../db/schema.ts'
import { snapshotState, storedLease } from '../../../testing/build-lease.ts'
import { gusEmail, makeSigning, olafEmail, zoeEmail } from '../../../testing/build-signing.ts'
import { preparedSite, type TestApp, visitor } from '../../../testing/test-app.ts'
import { verifyStore } from '../../operations/backup/verify.ts'
import { tickSignings } from './complete.ts'

/** A lease for four with the invitations out; nothing of it can be copied but ids and tokens. */
const prepared = preparedSite(async app => {
  const { admin, id, open, signing, tenantEmail, tokenOf } = await makeSigning(app)
  const emails = [tenantEmail, zoeEmail, olafEmail, gusEmail]
  const people = await Promise.all(
    emails.map(async email => {
      const { document, noticeSha256 } = await open(email)
      const given = { typedName: 'A Name', consent: true, textSha256: document.textSha256, noticeSha256 }
      return { token: tokenOf(email), given }
    }),
  )
  return { admin, id, people, signerIds: signing.signers.map(({ id }) => id) }
})

type Act = { kind: 'sign' | 'leaveOut' | 'crash' | 'tick' | 'takeBack' | 'both'; who: number }
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom('sign' as const, 'both' as const) },
    { weight: 3, arbitrary: fc.constantFrom('leaveOut' as const, 'crash' as const, 'tick' as const) },
    { weight: 1, arbitrary: fc.constant('takeBack' as const) },
  ),
  who: fc.nat(3),
})

const pdfsOf = (app: TestApp) =>
  snapshotState(app).files.filter(({ contentType }) => contentType === 'application/pdf')

test('any order, repetition and crash of signatures ends in one file or none [SIGNER-10, SIGNER-11, SIGNER-16]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), async acts => {
      const { admin, app, id, people, signerIds } = await prepared()
      const { renderer } = app.deps
      const draw = async () => new TextEncoder().encode('%PDF-1.7 the lease')
      app.deps.renderer = { ...renderer, signingPdf: draw }
      const sign = ({ given, token }: (typeof people)[number]) =>
        app.as(visitor).signing.sign({ token, ...given })
      for (const { kind, who } of acts) {
        const [one, other] = [people[who], people[(who + 1) % 4]]
        if (!one || !other) throw new Error('four people')
        const work = {
          sign: () => sign(one),
          both: () => Promise.allSettled([sign(one), sign(other)]),
          leaveOut: () => app.as(admin).signing.leaveOut({ signerId: signerIds[who] ?? '' }),
          // The file is lost on its way.
          crash: async () => {
            app.deps.renderer.signingPdf = () => Promise.reject(new Error('killed'))
            await sign(one).catch(() => undefined)
            app.deps.renderer.signingPdf = draw
          },
          tick: () => tickSignings(app.deps),
          takeBack: () => app.as(admin).signing.takeBack({ applicationId: id, reason: 'No' }),
        }
        await work[kind]().catch(() => undefined)
        expect(pdfsOf(app).length).toBeLessThanOrEqual(1)
      }
      await tickSignings(app.deps)
      const [signing] = app.deps.db.select().from(signings).all()
      const missing = app.deps.db
        .select()
        .from(signers)
        .all()
        .filter(({ removedAt, signedAt }) => removedAt === null && signedAt === null)
      const isSigned = storedLease(app, id).lease?.signedAt !== null
      expect(pdfsOf(app)).toHaveLength(isSigned ? 1 : 0)
      expect(signing?.state === 'complete').toBe(isSigned)
      if (signing?.state === 'open') expect(missing.length).toBeGreaterThan(0)
      if (isSigned) expect(missing).toEqual([])
      expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
    }),
    { numRuns: 25 },
  )
}, 120_000)

test('verify finds a signing with all signatures and no file [SIGNER-11]', async () => {
  const { app, people } = await prepared()
  app.deps.renderer = { ...app.deps.renderer, signingPdf: () => Promise.reject(new Error('killed')) }
  for (const { given, token } of people) await app.as(visitor).signing.sign({ token, ...given })
  const { faults } = await verifyStore(app.deps.config, () => {})
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain('1 signings with all signatures and no file')
})
