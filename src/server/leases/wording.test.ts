import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, leases, wordings } from '../../../db/schema.ts'
import { buildContent } from '../../testing/build-content.ts'
import { makeLease, signLease, storedLease } from '../../testing/build-lease.ts'
import { buildLeaseWording } from '../../testing/build-wording.ts'
import { publishContent } from '../../testing/site-pages.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { sha256 } from '../lib/sha256.ts'

async function world() {
  const app = await testApp()
  const made = await makeLease(app)
  const asOwner = app.as(made.admin)
  return {
    app,
    ...made,
    lease: () => storedLease(app, made.id).lease,
    save: (version: number, sentence: string) =>
      asOwner.wordings.save({ kind: 'lease', version, body: buildLeaseWording(sentence) }),
    generate: () => asOwner.leases.generate({ applicationId: made.id }),
    rename: (firstName: string) => asOwner.applications.adminEdit({ id: made.id, firstName }),
    notices: async () => (await asOwner.notices.list()).notices.filter(({ id }) => id.startsWith('wording-')),
  }
}
const versionsInTrail = ({ deps }: TestApp) =>
  deps.db
    .select({ kind: events.kind, detail: events.detail })
    .from(events)
    .all()
    .filter(({ kind }) => kind === 'lease.generated' || kind === 'lease.rewritten')
    .map(({ detail, kind }) => [kind, detail.wordingVersion])

test('a lease keeps its wording version when it is rewritten; generating uses the newest version [LTEXT-03, LTEXT-04]', async () => {
  const { app, generate, lease, leaseText, rename, save } = await world()
  const before = lease()
  expect(before?.wordingVersion).toBe(0)
  await save(0, 'Bicycles stay outside.')
  expect(lease()).toEqual(before)
  await rename('Zoe')
  expect(lease()).toMatchObject({ wordingVersion: 0, text: leaseText.replaceAll('Maya', 'Zoe') })

  await generate()
  expect(lease()).toMatchObject({
    wordingVersion: 1,
    text: expect.stringMatching(/\n\nBicycles stay outside\.\n\n8\. NO SMOKING\n/),
  })
  await save(1, 'Boats stay outside.')
  await rename('Ada')
  expect(lease()).toMatchObject({
    wordingVersion: 1,
    text: expect.stringContaining('Bicycles stay outside.'),
  })
  expect(lease()?.text).toContain('Tenant: Ada Rivers')
  await generate()
  expect(lease()?.text).toContain('Boats stay outside.')
  const trail = [
    'lease.generated',
    'lease.rewritten',
    'lease.generated',
    'lease.rewritten',
    'lease.generated',
  ]
  expect(versionsInTrail(app)).toEqual(trail.map((kind, at) => [kind, [0, 0, 1, 1, 2][at]]))
})

test('a wording without a required placeholder, or changed in the database, blocks generating but not the site [LTEXT-05]', async () => {
  const { app, generate, lease, notices, rename, save, tenant } = await world()
  await save(0, 'Bicycles stay outside.')
  const before = lease()
  const store = (text: string, hash = sha256(JSON.stringify({ text }))) =>
    app.deps.write(tx =>
      tx
        .update(wordings)
        .set({ body: JSON.stringify({ text }), sha256: hash })
        .run(),
    )
  const { text } = buildLeaseWording()
  for (const [body, hash, fault] of [
    [
      text.replace('{{deposit}}', 'nothing'),
      undefined,
      'The lease template lacks the placeholder {{deposit}}.',
    ],
    [text.replace('outside', 'inside'), sha256('other'), 'It could not be read.'],
  ] as const) {
    await store(body, hash)
    const refusal = { code: 'CONFLICT', message: `The lease wording must be checked: ${fault}` }
    await expect(generate()).rejects.toMatchObject(refusal)
    expect(await notices()).toEqual([
      expect.objectContaining({
        id: 'wording-lease',
        tone: 'danger',
        title: 'The lease wording must be checked',
        detail: expect.stringContaining(fault),
        action: { kind: 'site' },
      }),
    ])
    expect(lease()).toEqual(before)
  }
  expect((await app.http.inject('/api/health')).statusCode).toBe(200)
  // A lease with another wording version can still be rewritten and signed.
  await rename('Zoe')
  expect(lease()?.text).toContain('Tenant: Zoe Rivers')
  await signLease(app, tenant, before?.applicationId ?? '')
  await save(1, 'Boats stay outside.')
  expect(await notices()).toEqual([])
})

test('a lease uses the published name, contact, house rules and guest limit; older leases stay unchanged [SITE-14, SITE-15, SITE-22]', async () => {
  const { app, generate, id, lease, leaseText, tenant } = await world()
  expect(leaseText).toContain('The Premises sleep 4 people.')
  expect(leaseText).toContain('7. USE AND HOUSE RULES\n\n- The Premises are used as a private home only')
  const { facts, identity } = buildContent()
  await publishContent(app, {
    identity: { ...identity, companyName: 'Dune Rentals', ownerPhone: '850-555-0177' },
    facts: { ...facts, sleeps: 6 },
    houseRules: { showOnPage: false, rules: ['No drums.'] },
  })
  expect(lease()?.text).toBe(leaseText)
  await generate()
  for (const words of [
    'Landlord: Dune Rentals\nContact: owner@seabreeze.example, 850-555-0177',
    'The Premises sleep 6 people.',
    '7. USE AND HOUSE RULES\n\n- No drums.\n\n8. NO SMOKING',
  ])
    expect(lease()?.text).toContain(words)
  await signLease(app, tenant, id)
  const signed = lease()
  await publishContent(app, { houseRules: { showOnPage: false, rules: [] } })
  expect(app.deps.db.select().from(leases).where(eq(leases.applicationId, id)).get()).toEqual(signed)
})
