import { expect, test } from 'vitest'
import { contentVersions, wordings } from '../../../../db/schema.ts'
import { signUpAdmin } from '../../../testing/build-account.ts'
import { testApp, testNow, testOrigin } from '../../../testing/test-app.ts'
import { callRest } from '../../../testing/transports.ts'

test('lists of versions have 50 per page and read no stored content [FIX-35]', async () => {
  const app = await testApp()
  const { token, user } = await signUpAdmin(app)
  const { editor, wordings: wordingCalls } = app.as({
    role: 'admin',
    userId: user.id,
    requestOrigin: testOrigin,
  })
  const saved = { at: testNow, actorId: user.id, note: '', body: 'not even JSON', sha256: '' }
  await app.deps.write(tx => {
    for (let version = 1; version <= 120; version += 1) {
      const changed = ['hero' as const]
      tx.insert(contentVersions)
        .values({ ...saved, id: version, source: 'publish', schema: 1, changed })
        .run()
      tx.insert(wordings)
        .values({ ...saved, id: String(version), kind: 'lease', version })
        .run()
    }
  })
  const numbersOf = ({ versions }: { versions: { version: number }[] }) =>
    versions.map(({ version }) => version)
  const from = (first: number, last: number) =>
    Array.from({ length: first - last + 1 }, (_, index) => first - index)

  const pages = await Promise.all(
    [undefined, 2, 3, 4].map(page => editor.versions(page ? { page } : undefined)),
  )
  expect(pages.map(numbersOf)).toEqual([from(120, 71), from(70, 21), from(20, 0), []])
  expect(pages[0]).toMatchObject({ total: 121 })
  expect(pages[0]?.versions[0]).toMatchObject({ changed: ['hero'], by: { id: user.id } })
  const asked = { kind: 'lease' }
  const leases = await Promise.all([1, 2, 3].map(page => wordingCalls.versions({ ...asked, page })))
  expect(leases.map(numbersOf)).toEqual([from(120, 71), from(70, 21), from(20, 1)])
  expect(leases[0]?.total).toBe(120)

  for (const path of ['versions', 'wordings/lease/versions']) {
    const { body, status } = await callRest(app.http, `GET /api/site/admin/${path}`, {
      token,
      input: { page: 2 },
    })
    expect(status).toBe(200)
    expect(numbersOf(body as (typeof pages)[number])).toEqual(from(70, 21))
  }
})
