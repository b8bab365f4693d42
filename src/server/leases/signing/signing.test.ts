import { and, eq, like } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  accessLinks,
  applications,
  events,
  linkTokens,
  outbox,
  signers,
  signings,
} from '../../../../db/schema.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { hashOfNotice, noticeSha256 } from '../../../domain/leases/lease-signing.ts'
import { buildApplication } from '../../../testing/build-application.ts'
import { calendarSite } from '../../../testing/build-calendar.ts'
import { identity } from '../../../testing/build-content.ts'
import { changeEmail, emailTokens } from '../../../testing/build-email-change.ts'
import { buildEntry } from '../../../testing/build-entry.ts'
import {
  scanPdf,
  signLease,
  snapshotState,
  storedLease,
  tokenOf,
  typedSignature,
} from '../../../testing/build-lease.ts'
import {
  coTenant,
  gusEmail,
  linksOf,
  makeLeaseForMany,
  makeSigning,
  olafEmail,
  others,
  signatureOf,
  zoeEmail,
} from '../../../testing/build-signing.ts'
import { errorOf } from '../../../testing/build-site.ts'
import { pdfText } from '../../../testing/pdf-text.ts'
import { publishContent } from '../../../testing/site-pages.ts'
import { type TestApp, testApp, testOrigin, visitor } from '../../../testing/test-app.ts'
import { tickOffers } from '../../applications/offers/tick.ts'
import { calendarNotices } from '../../bookings/calendars/notices.ts'
import { composeMail } from '../../mail/compose.ts'
import { startMailScheduler } from '../../mail/scheduled-mails.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources, scheduledMailSources } from '../../mail-sources.ts'
import { markRestored } from '../../operations/backup/restored.ts'
import { tickAddenda } from '../addenda/close.ts'
import { leaseChangedMessage, noticeChangedMessage } from '../signature.ts'
import { uploadSignedLease } from '../upload.ts'
import { tickSignings } from './complete.ts'

const invalid = 'This link is no longer valid. Please ask the owner for a new one.'

async function refused(
  app: TestApp,
  call: () => Promise<unknown>,
  code: string,
  message: string,
  field?: string,
) {
  const before = snapshotState(app)
  await expect(call()).rejects.toMatchObject({
    cause: { code, message, ...(field && { fields: { [field]: message } }) },
  })
  expect(snapshotState(app)).toEqual(before)
}

const mailsOf = (app: TestApp, kind: string) =>
  app.deps.db.select().from(outbox).where(eq(outbox.kind, kind)).all()

const saveSettings = async (app: TestApp, body: object) => {
  const { settings } = app.as(await app.makeAdmin())
  const { version } = await settings.signing.get()
  return settings.signing.save({ version, body })
}

async function signedText(app: TestApp, id: string): Promise<string> {
  const { file } = storedLease(app, id)
  if (!file) throw new Error('no file')
  return pdfText(await app.deps.files.read(file))
    .flat()
    .join(' ')
}

async function deliver(app: TestApp): Promise<void> {
  const scheduler = startMailScheduler(app.deps, scheduledMailSources)
  await scheduler.tick()
  await scheduler.stop()
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
}

const tokenIn = (text: string) => /\/sign#([\w-]+)/.exec(text)?.[1] ?? ''

describe('inviting', () => {
  test('asks tenant, co-applicant, adult guest and guarantor in this order, each by one mail [SIGNER-02, SIGNER-03]', async () => {
    const app = await testApp()
    const { signing, tenantEmail } = await makeSigning(app)
    expect(signing).toMatchObject({ state: 'open', signed: 0, of: 4, addendumId: null })
    expect(signing.signers.map(({ email, name, role, state }) => [role, name, email, state])).toEqual([
      ['tenant', 'Maya Rivers', tenantEmail, 'waiting'],
      ['co_tenant', 'Zoë Müller', zoeEmail, 'waiting'],
      ['occupant', 'Olaf Adams', olafEmail, 'waiting'],
      ['guarantor', 'Gus Grant', gusEmail, 'waiting'],
    ])
    expect(mailsOf(app, 'sign-invitation').map(({ toAddress }) => toAddress)).toEqual([
      tenantEmail,
      zoeEmail,
      olafEmail,
      gusEmail,
    ])
    const links = app.deps.db.select().from(accessLinks).where(eq(accessLinks.kind, 'sign')).all()
    expect(links.map(({ expiresAt }) => expiresAt)).toEqual(Array(4).fill('2026-04-03T17:00:00.000Z'))
    expect(links.filter(({ personId }) => personId !== null)).toHaveLength(1)
  })

  test('whoever ends the invitations by changing names can send ten, then the owner does [SIGNER-02, SIGNER-09]', async () => {
    const app = await testApp()
    const { admin, id, tenant } = await makeLeaseForMany(app)
    const { additionalGuests: _, requestedEndDate: __, requestedStartDate: ___, ...own } = buildApplication()
    const signers = [{ role: 'co_tenant' as const, email: zoeEmail }]
    const invite = () => app.as(tenant).signing.invite({ applicationId: id, signers })
    const alone = { secondApplicantFirstName: '', secondApplicantLastName: '' }
    for (let i = 0; i < 10; i++) {
      await invite()
      for (const names of [alone, coTenant]) {
        for (const limit of ['writeByTenant', 'writeByTenantAndDay'] as const)
          await app.deps.limits.reset(limit, tenant.userId)
        await app.as(tenant).applications.update({ ...own, ...names, id })
      }
    }
    await refused(app, invite, 'conflict', 'Please ask the owner to send the invitations.')
    await app.as(admin).signing.adminInvite({ applicationId: id, signers: others })
  })

  const gus = others[2]
  test.each([
    ['the co-applicant missing', [], 'signers', 'Please give the e-mail address of Zoë Müller.'],
    ['no email', [{ role: 'co_tenant' }], 'signers', 'Please give the e-mail address of Zoë Müller.'],
    [
      'a guest who is a child',
      [others[0], { role: 'occupant', firstName: 'Kid', lastName: 'Adams', email: olafEmail }],
      'signers.1.firstName',
      'This is not the name of an adult guest of this booking.',
    ],
    [
      'half a name',
      [others[0], { ...gus, lastName: '' }],
      'signers.1.lastName',
      'Please give first and last name.',
    ],
    [
      'a guarantor without an email',
      [others[0], { ...gus, email: '' }],
      'signers.1.email',
      'Please give the e-mail address of Gus Grant.',
    ],
    ['one guest twice', [...others, others[1]], 'signers', 'Please name each person once.'],
    ['nine people', [others[0], ...Array(7).fill(gus)], 'signers', 'At most 8 people can sign.'],
  ])('refuses %s, and writes nothing [SIGNER-02]', async (_title, signers, field, message) => {
    const app = await testApp()
    const kid = { firstName: 'Kid', lastName: 'Adams', isAdult: false }
    const olaf = { firstName: 'Olaf', lastName: 'Adams', isAdult: true }
    const { admin, id } = await makeLeaseForMany(app, { additionalGuests: [olaf, kid] })
    const invite = () =>
      app.as(admin).signing.adminInvite({ applicationId: id, signers: signers as typeof others })
    await refused(app, invite, 'bad_request', message, field)
  })

  test.each([
    ['a line break in a name', { ...gus, firstName: 'Gus\r\nBcc: x@evil.example' }],
    ['a line break in an email', { ...gus, email: 'gus@guest.example\r\nBcc: x@evil.example' }],
  ])('takes no %s [SIGNER-02]', async (_title, signer) => {
    const app = await testApp()
    const { admin, id } = await makeLeaseForMany(app)
    const signers = [others[0], signer] as typeof others
    await expect(app.as(admin).signing.adminInvite({ applicationId: id, signers })).rejects.toThrow()
    expect(app.deps.db.select().from(signings).all()).toEqual([])
  })

  test('the tenant names co-applicant and adult guests alone, of the own booking [SIGNER-02]', async () => {
    const app = await testApp()
    const { admin, id, tenant } = await makeLeaseForMany(app)
    const invite = (signers: typeof others) => app.as(tenant).signing.invite({ applicationId: id, signers })
    await refused(app, () => invite(others), 'forbidden', 'Only the owner can add this signer.')
    const other = await app.makeTenant()
    await refused(
      app,
      () => app.as(other).signing.invite({ applicationId: id, signers: [] }),
      'not_found',
      'Application not found',
    )
    await expect(app.as(admin).signing.invite({ applicationId: id, signers: [] })).rejects.toMatchObject({
      cause: { code: 'forbidden' },
    })
    const { signing } = await invite(others.slice(0, 2))
    expect(signing.signers.map(({ declineReason, email, role }) => [role, email, declineReason])).toEqual([
      ['tenant', null, null],
      ['co_tenant', null, null],
      ['occupant', null, null],
    ])
  })

  test('refuses a second time, also at once, and once the lease is signed [SIGNER-02]', async () => {
    const app = await testApp()
    const { admin, id, tenant } = await makeLeaseForMany(app)
    const invite = () => app.as(admin).signing.adminInvite({ applicationId: id, signers: others })
    const both = await Promise.allSettled([invite(), invite()])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await refused(app, invite, 'conflict', 'The invitations are out already.')
    await app.as(admin).signing.takeBack({ applicationId: id, reason: 'Again' })
    await app.as(tenant).leases.sign({ ...typedSignature(id), typedName2: 'Zoë Müller' })
    await refused(app, invite, 'conflict', 'This lease is signed already.')
  })

  test('the owner is asked where leases are countersigned, and signs with the session [SIGNER-02, SIGNER-06]', async () => {
    const app = await testApp()
    await saveSettings(app, { countersign: true })
    const { admin, id, open, sign, signing, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    expect(signing.signers.map(({ role }) => role)).toEqual(['tenant', 'co_tenant', 'owner'])
    const [tenant, , owner] = signing.signers
    const opened = await open(tenantEmail)
    const given = signatureOf(opened, 'The Owner')
    const countersign = (signerId = '') => app.as(admin).signing.countersign({ signerId, ...given })
    await refused(app, () => countersign(tenant?.id), 'conflict', 'Only the owner signs here.')
    await refused(app, () => countersign('none'), 'not_found', 'There is no such signer.')
    expect((await countersign(owner?.id)).signing).toMatchObject({ signed: 1, of: 3 })
    await sign(zoeEmail)
    expect(await sign(tenantEmail)).toMatchObject({ state: 'complete' })
    expect(await signedText(app, id)).toContain('Landlord: Seaglass')
    expect(mailsOf(app, 'lease-signed-copy')).toHaveLength(3)
  })
})

describe('a link', () => {
  test('opens text, terms, notice and who signs, without an email or a payment [SIGNER-05, SIGNER-17]', async () => {
    const app = await testApp()
    const { id, leaseText, leaseTextSha256, open, sign, tenantEmail } = await makeSigning(app)
    const { lease } = storedLease(app, id)
    await sign(zoeEmail, 'Zoë Müller')
    const opened = await open(gusEmail)
    expect(opened).toMatchObject({
      signer: { name: 'Gus Grant', role: 'guarantor', state: 'opened' },
      document: {
        ...{ kind: 'lease', title: 'Lease Agreement', text: leaseText, textSha256: leaseTextSha256 },
        ...{ stay: { start: lease?.startDate, end: lease?.endDate }, rentCents: lease?.rentCents },
        depositCents: lease?.depositCents,
      },
      signers: [{ state: 'waiting' }, { state: 'signed' }, { state: 'waiting' }, { state: 'opened' }],
      state: 'open',
    })
    expect(opened.notice[0]).toEqual({
      title: 'What you guarantee',
      text: 'You answer, besides the Tenant, for all that the Tenant owes under this lease.',
    })
    expect(opened.noticeSha256).toBe(await hashOfNotice(opened.notice, opened.consentSentence))
    expect(JSON.stringify(opened)).not.toMatch(/@guest\.example/)
    const tenants = await open(tenantEmail)
    expect(tenants.noticeSha256).toBe(await noticeSha256(app.deps.siteContent().content.identity))
  })

  test.each(['unknown', 'expired', 'sent again', 'left out', 'taken back'])(
    'that is %s is the same 404 on every row [SIGNER-04, SIGNER-15]',
    async what => {
      const app = await testApp()
      const { admin, id, open, signing, tokenOf } = await makeSigning(app)
      const token = what === 'unknown' ? 'x'.repeat(43) : tokenOf(gusEmail)
      const given = signatureOf(await open(gusEmail))
      const gus = signing.signers[3]?.id ?? ''
      if (what === 'expired') app.advance(30 * dayMs)
      if (what === 'sent again') await app.as(admin).signing.resend({ signerId: gus })
      if (what === 'left out') await app.as(admin).signing.leaveOut({ signerId: gus })
      if (what === 'taken back') await app.as(admin).signing.takeBack({ applicationId: id, reason: 'No' })
      const guest = app.as(visitor).signing
      await refused(app, () => guest.open({ token }), 'not_found', invalid)
      await refused(app, () => guest.sign({ token, ...given }), 'not_found', invalid)
      await refused(app, () => guest.decline({ token, reason: 'No' }), 'not_found', invalid)
      const pdf = await app.http.inject({ method: 'POST', url: '/api/signer/pdf', payload: { token } })
      expect([pdf.statusCode, pdf.json().error]).toEqual([404, invalid])
    },
  )

  test('of the tenant ends when the booking is another account’s [SIGNER-03]', async () => {
    const app = await testApp()
    const { id, tenantEmail, tokenOf } = await makeSigning(app)
    const token = tokenOf(tenantEmail)
    const { userId } = await app.makeTenant()
    await app.deps.write(tx => tx.update(applications).set({ userId }).where(eq(applications.id, id)).run())
    await refused(app, () => app.as(visitor).signing.open({ token }), 'not_found', invalid)
  })

  test('signs what was shown alone: another text or notice is 409 [SIGNER-06]', async () => {
    const app = await testApp()
    const { open, tokenOf } = await makeSigning(app)
    const given = { token: tokenOf(gusEmail), ...signatureOf(await open(gusEmail)) }
    const sign = (other: object) => () => app.as(visitor).signing.sign({ ...given, ...other })
    const hash = '0'.repeat(64)
    await refused(app, sign({ textSha256: hash }), 'conflict', leaseChangedMessage)
    await refused(app, sign({ noticeSha256: hash }), 'conflict', noticeChangedMessage)
  })

  test('lives as long as the owner chose, and thirty days more once everybody has signed [SIGNER-03]', async () => {
    const app = await testApp()
    await saveSettings(app, { linkDays: 90, reminderDays: [] })
    const { open, sign, tenantEmail, tokenOf } = await makeSigning(app, others.slice(0, 1))
    tokenOf(zoeEmail)
    await sign(tenantEmail)
    app.advance(89 * dayMs)
    await sign(zoeEmail)
    app.advance(30 * dayMs)
    expect(await open(zoeEmail)).toMatchObject({ state: 'complete' })
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/signer/pdf',
      payload: { token: tokenOf(zoeEmail) },
    })
    expect(response.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' })
    expect(pdfText(response.rawPayload).flat()).toContain('Signing certificate')
    app.advance(1 * dayMs)
    await expect(open(zoeEmail)).rejects.toMatchObject({ cause: { code: 'not_found' } })
  })

  test('has 30 PDFs and signatures in 10 minutes, a tenant’s own together with the account [SIGNER-19]', async () => {
    const app = await testApp()
    const { open, signing, tenant, tenantEmail, tokenOf } = await makeSigning(app)
    const pdf = async (email: string) => {
      const payload = { token: tokenOf(email) }
      return (await app.http.inject({ method: 'POST', url: '/api/signer/pdf', payload })).statusCode
    }
    const given = { token: tokenOf(gusEmail), ...signatureOf(await open(gusEmail)) }
    expect([await pdf(gusEmail), await pdf(tenantEmail)]).toEqual([200, 200])
    for (const key of [signing.signers[3]?.id ?? '', tenant.userId])
      for (let n = 1; n < 30; n++) await app.deps.limits.consume('leasePdfByUser', key)
    expect([await pdf(gusEmail), await pdf(tenantEmail), await pdf(zoeEmail)]).toEqual([429, 429, 200])
    await expect(app.as(visitor).signing.sign(given)).rejects.toMatchObject({ cause: { code: 'too_many' } })
  })

  test('is not in the outbox in clear, and its mail is not kept [SIGNER-19]', async () => {
    const app = await testApp()
    await makeSigning(app)
    await deliver(app)
    const mails = app.sentMails.filter(({ subject }) => subject.startsWith('Please sign: '))
    expect(mails).toHaveLength(4)
    const tokens = mails.map(({ text }) => tokenIn(text))
    expect(new Set(tokens).size).toBe(4)
    const stored = JSON.stringify([
      app.deps.db.select().from(outbox).all(),
      app.deps.db.select().from(linkTokens).all(),
    ])
    for (const token of tokens) {
      expect(await app.as(visitor).signing.open({ token })).toMatchObject({ state: 'open' })
      expect(stored).not.toContain(token)
    }
  })

  test('opens 30 times and signs 10 times in 10 minutes for an address [SIGNER-19]', async () => {
    const app = await testApp()
    const token = 'x'.repeat(43)
    const press = async (what: string, times: number, body: object) => {
      const codes = []
      for (let i = 0; i < times; i++) {
        const url = `/api/signer/${what}`
        codes.push((await app.http.inject({ method: 'POST', url, payload: { token, ...body } })).statusCode)
      }
      return codes
    }
    expect(await press('open', 31, {})).toEqual([...Array(30).fill(404), 429])
    expect(await press('pdf', 1, {})).toEqual([429])
    expect(await press('sign', 11, { consent: true, typedName: 'A' })).toEqual([...Array(10).fill(404), 429])
    expect(await press('decline', 1, { reason: 'No' })).toEqual([429])
  })

  test('a body of 2 MB is read, a larger one is not [SIGNER-19]', async () => {
    const app = await testApp()
    const send = async (bytes: number) => {
      const payload = { token: 'x'.repeat(43), signatureImageBase64: 'A'.repeat(bytes) }
      return (await app.http.inject({ method: 'POST', url: '/api/signer/sign', payload })).statusCode
    }
    expect(await send(600 * 1024)).toBe(404)
    expect(await send(2 * 1024 * 1024)).toBe(413)
  })

  test('a change of email ends the tenant’s alone, and sending again goes to the new address [SIGNER-20]', async () => {
    const app = await testApp()
    const { admin, open, signing, tenant, tenantEmail } = await makeSigning(app)
    await open(zoeEmail)
    await open(tenantEmail)
    await changeEmail(app, tenant, 'new@guest.example')
    await expect(open(tenantEmail)).rejects.toThrow(invalid)
    expect(await open(zoeEmail)).toMatchObject({ state: 'open' })
    const signerId = signing.signers[0]?.id ?? ''
    const elsewhere = app.as(admin).signing.resend({ signerId, email: 'other@guest.example' })
    await expect(elsewhere).rejects.toMatchObject({ cause: { code: 'bad_request' } })
    const { signer } = await app.as(admin).signing.resend({ signerId })
    expect(signer.email).toBe('new@guest.example')
    expect(await open('new@guest.example')).toMatchObject({ signer: { role: 'tenant' } })
  })

  test('the certificate names the email that the tenant had when signing [SIGNER-12, SIGNER-20]', async () => {
    for (const signsFirst of [true, false]) {
      const app = await testApp()
      const { id, sign, tenant, tenantEmail } = await makeSigning(app)
      const newEmail = 'new@guest.example'
      if (signsFirst) await sign(tenantEmail)
      await changeEmail(app, tenant, newEmail)
      for (const email of [zoeEmail, olafEmail, gusEmail]) await sign(email)
      if (!signsFirst) await app.as(tenant).leases.sign(typedSignature(id))
      const { file } = storedLease(app, id)
      if (!file) throw new Error('no file')
      const text = (await pdfText(await app.deps.files.read(file))).flat().join(' ')
      expect(text.includes(tenantEmail)).toBe(signsFirst)
      expect(text.includes(newEmail)).toBe(!signsFirst)
    }
  })

  test('sends the mail about voided signatures to the account’s current email [SIGNER-10, SIGNER-20]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenant, tenantEmail } = await makeSigning(app)
    await sign(tenantEmail)
    await changeEmail(app, tenant, 'new@guest.example')
    await app.as(admin).signing.takeBack({ applicationId: id, reason: 'We meet at the condo' })
    const mails = mailsOf(app, 'signing-voided')
    expect(mails.map(({ toAddress }) => toAddress)).toEqual(['new@guest.example'])
  })

  test('one that went to a thief’s address ends when the change of email is undone [SIGNER-20]', async () => {
    const app = await testApp()
    const { admin, open, signing, tenant, tenantEmail } = await makeSigning(app)
    await changeEmail(app, tenant, 'thief@guest.example')
    await app.as(admin).signing.resend({ signerId: signing.signers[0]?.id ?? '' })
    await open('thief@guest.example')
    const [token = ''] = emailTokens(app, 'email-undo', tenantEmail)
    await app.as(visitor).emailChange.undo({ token })
    await expect(open('thief@guest.example')).rejects.toThrow(invalid)
  })

  test('one that went to a mistyped address ends when the owner corrects it [SIGNER-20, OWN-16]', async () => {
    const app = await testApp()
    const admin = await app.makeAdmin()
    const mistyped = 'jonn@guest.example'
    const entry = buildEntry({ startDate: '2026-06-01', endDate: '2026-07-01', email: mistyped })
    const { application } = await app.as(admin).manualBookings.create(entry)
    const applicationId = application.id
    await app.as(admin).leases.generate({ applicationId, rentalAmount: 2500, depositAmount: 500 })
    await app.as(admin).signing.adminInvite({ applicationId, signers: [] })
    const { open } = linksOf(app)
    await open(mistyped)
    await app.as(admin).manualBookings.invite({ applicationId, email: 'jon@guest.example' })
    await expect(open(mistyped)).rejects.toThrow(invalid)
  })
})

describe('signing', () => {
  test('in any order; the last signature makes the file for all [SIGNER-06, SIGNER-07, SIGNER-11, SIGNER-12]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenant, tenantEmail } = await makeSigning(app)
    for (const [i, email] of [gusEmail, zoeEmail, tenantEmail].entries()) {
      app.advance(60_000)
      expect(await sign(email)).toMatchObject({ state: 'signed' })
      const { application } = await app.as(tenant).applications.get({ id })
      expect(application).toMatchObject({ leaseSigned: false, signing: { signed: i + 1, of: 4 } })
    }
    app.advance(60_000)
    expect(await sign(olafEmail, 'Olaf Adams')).toMatchObject({ state: 'complete' })
    const { application } = await app.as(tenant).applications.get({ id })
    expect(application).toMatchObject({ leaseSigned: true, leaseSignedAt: '2026-03-04T17:04:00.000Z' })
    expect(application).not.toHaveProperty('signing')
    expect((await app.as(admin).signing.get({ applicationId: id })).signing).toMatchObject({
      state: 'complete',
      signed: 4,
    })
    const text = await signedText(app, id)
    for (const words of [
      'Tenant: Maya Rivers',
      'Co-tenant: Zoë Müller',
      'Adult occupant: Olaf Adams',
      'Guarantor: Gus Grant',
      tenantEmail,
      zoeEmail,
      `Network address ${testOrigin.address}`,
      `Browser ${testOrigin.userAgent}`,
      'SHA-256 of the image: ',
      'You answer, besides the Tenant, for all that the Tenant owes under this lease.',
    ])
      expect(text).toContain(words)
    expect(text.match(/Confirmed by the client/g)).toHaveLength(9)
    const copies = mailsOf(app, 'lease-signed-copy').map(({ toAddress }) => toAddress)
    expect(new Set(copies).size).toBe(5)
    expect(copies).toHaveLength(5)
  })

  test('an entry claims only what came with the signature [SIGNER-08, SIGNER-13]', async () => {
    const app = await testApp()
    const { id, sign, tenant } = await makeSigning(app, others.slice(0, 1))
    const own = typedSignature(id)
    for (const more of [
      { typedName2: 'Zoë Müller' },
      { signatureImageBase64_2: own.signatureImageBase64 },
      { consent2: true },
      { coApplicantEmail: zoeEmail },
    ])
      await refused(
        app,
        () => app.as(tenant).leases.sign({ ...own, ...more }),
        'bad_request',
        'The co-applicant signs by an own link.',
        'typedName2',
      )
    const { application } = await app.as(tenant).leases.sign(own)
    expect(application).toMatchObject({ leaseSigned: false, signing: { signed: 1, of: 2 } })
    await sign(zoeEmail, 'Zoë Müller')
    const text = await signedText(app, id)
    expect(text).toContain('Not confirmed by the client. The client did not confirm which text was shown.')
    expect(text).toContain('Not confirmed by the client. The client did not confirm which notice was shown.')
    expect(text.match(/Confirmed by the client/g)).toHaveLength(3)
  })

  test('needs consent, name or drawing, and what was read [SIGNER-06]', async () => {
    const app = await testApp()
    const { open, tokenOf } = await makeSigning(app)
    const token = tokenOf(gusEmail)
    const given = signatureOf(await open(gusEmail))
    const sign = (change: object) => app.as(visitor).signing.sign({ token, ...given, ...change })
    const read = 'Please read the document before you sign.'
    for (const [change, code, message, field] of [
      [{ consent: false }, 'bad_request', 'Please provide consent to sign electronically.', 'consent'],
      [{ typedName: '', mode: 'type' }, 'bad_request', 'Please type your full name to sign.', 'typedName'],
      [
        { mode: 'draw', signatureImageBase64: '' },
        'bad_request',
        'Please draw your signature before submitting.',
        'signatureImageBase64',
      ],
      [{ textSha256: undefined }, 'bad_request', read, 'textSha256'],
      [{ noticeSha256: undefined }, 'bad_request', read, 'noticeSha256'],
      [
        { textSha256: 'a'.repeat(64) },
        'conflict',
        'The lease has changed since it was shown to you. Please read it again before you sign.',
      ],
    ] as const)
      await refused(app, () => sign(change), code, message, field)
    await sign({})
    await refused(app, () => sign({}), 'conflict', 'You have signed already.')
  })

  test('keeps own time, address, browser and hashes, and is never overwritten [SIGNER-06]', async () => {
    const app = await testApp()
    const { leaseTextSha256, open, sign } = await makeSigning(app)
    const { noticeSha256 } = await open(zoeEmail)
    app.advance(90_000)
    const both = await Promise.allSettled([sign(zoeEmail, 'Zoë One'), sign(zoeEmail, 'Zoë Two')])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [row] = app.deps.db.select().from(signers).where(eq(signers.email, zoeEmail)).all()
    expect(row).toMatchObject({
      signedAt: '2026-03-04T17:01:30.000Z',
      address: '203.0.113.7',
      userAgent: 'Test Browser 1.0',
      textSha256: leaseTextSha256,
      noticeSha256,
      consentVersion: '2026-12',
    })
  })

  test('the last two at once make one file, and mail each person once [SIGNER-11, SIGNER-12]', async () => {
    const app = await testApp()
    const { id, open, sign, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await open(zoeEmail)
    await open(tenantEmail)
    const answers = await Promise.all([sign(zoeEmail), sign(tenantEmail)])
    expect(answers.map(({ state }) => state)).toContain('complete')
    const { files } = snapshotState(app)
    expect(files.filter(({ contentType }) => contentType === 'application/pdf')).toHaveLength(1)
    expect(storedLease(app, id).lease).toMatchObject({ signedBy: 'signature' })
    expect(mailsOf(app, 'lease-signed-copy')).toHaveLength(3)
  })

  test('a file that could not be made is made within a minute [SIGNER-11]', async () => {
    const app = await testApp()
    const { id, sign, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await sign(tenantEmail)
    const real = app.deps.renderer.signingPdf
    app.deps.renderer.signingPdf = () => Promise.reject(new Error('busy'))
    expect(await sign(zoeEmail)).toMatchObject({ state: 'signed' })
    expect(storedLease(app, id).lease?.signedAt).toBeNull()
    app.deps.renderer.signingPdf = real
    app.advance(60_000)
    await tickSignings(app.deps)
    expect(storedLease(app, id).lease?.signedAt).toBe('2026-03-04T17:00:00.000Z')
  })

  test('both in one session while nobody is invited, and with an own link alone where the owner wants that [SIGNER-01]', async () => {
    const app = await testApp()
    const { admin, id, tenant } = await makeLeaseForMany(app)
    const both = {
      ...typedSignature(id),
      typedName2: 'Zoë Müller',
      consent2: true,
      coApplicantEmail: zoeEmail,
    }
    await saveSettings(app, { separate: true })
    const message = 'Zoë Müller signs by an own link. Please send the invitation first.'
    await refused(app, () => app.as(tenant).leases.sign(both), 'conflict', message)
    await saveSettings(app, { separate: false })
    const { renderer } = app.deps
    const asSeparate: typeof renderer.signedLeasePdf = async lease => {
      await saveSettings(app, { separate: true })
      return renderer.signedLeasePdf(lease)
    }
    app.deps.renderer = { ...renderer, signedLeasePdf: asSeparate }
    await expect(app.as(tenant).leases.sign(both)).rejects.toThrow(message)
    await saveSettings(app, { separate: false })
    const signedLeasePdf: typeof renderer.signedLeasePdf = async lease => {
      await app.as(admin).signing.adminInvite({ applicationId: id, signers: others })
      return renderer.signedLeasePdf(lease)
    }
    app.deps.renderer = { ...renderer, signedLeasePdf }
    await expect(app.as(tenant).leases.sign(both)).rejects.toThrow('The invitations are out already.')
    expect(storedLease(app, id).lease?.signedAt).toBeNull()
    app.deps.renderer = renderer
    await app.as(admin).signing.takeBack({ applicationId: id, reason: 'No' })
    await app.as(tenant).leases.sign(both)
    expect(storedLease(app, id).lease).toMatchObject({ signedBy: 'signature' })
    await app.as(admin).leases.adminRemove({ id })
    await saveSettings(app, { separate: true })
    const alone = await makeLeaseForMany(app, {
      secondApplicantFirstName: '',
      secondApplicantLastName: '',
      requestedStartDate: '2026-08-01',
      requestedEndDate: '2026-09-01',
    })
    await signLease(app, alone.tenant, alone.id)
    expect(storedLease(app, alone.id).lease).toMatchObject({ signedBy: 'signature' })
  })
})

describe('the document', () => {
  test('follows changes before the first signature, and is frozen from then on [SIGNER-09]', async () => {
    const app = await testApp()
    const { admin, id, open, sign } = await makeSigning(app)
    await app.as(admin).applications.adminEdit({ id, secondApplicantLastName: 'Meyer' })
    const opened = await open(zoeEmail)
    expect(opened.signer.name).toBe('Zoë Meyer')
    expect(opened.document.text).toContain('Zoë Meyer')
    await sign(zoeEmail)
    const frozen = 'This lease is partly signed. Take the invitations back to change it.'
    const { leases } = app.as(admin)
    for (const change of [
      () => leases.generate({ applicationId: id, rentalAmount: 2600 }),
      () => leases.changePlan({ applicationId: id, version: 0, kind: 'monthly' }),
      () => app.as(admin).applications.adminEdit({ id, secondApplicantLastName: 'Müller' }),
    ])
      await refused(app, change, 'conflict', frozen)
    await app.as(admin).signing.takeBack({ applicationId: id, reason: 'The rent' })
    await leases.generate({ applicationId: id, rentalAmount: 2600 })
  })

  test.each([
    ['an adult guest who left', olafEmail, { additionalGuests: [] }],
    ['another co-applicant', zoeEmail, { secondApplicantFirstName: 'Bob', secondApplicantLastName: 'Stone' }],
    ['a co-applicant with the same surname', zoeEmail, { secondApplicantFirstName: 'Bob' }],
  ])('%s ends invitations that nobody has used [SIGNER-09]', async (_, email, change) => {
    const app = await testApp()
    const { admin, id, open } = await makeSigning(app)
    await open(email)
    await app.as(admin).applications.adminEdit({ id, ...change })
    await expect(open(email)).rejects.toThrow(invalid)
    expect((await app.as(admin).signing.get({ applicationId: id })).signing).toMatchObject({
      state: 'voided',
    })
  })

  test.each([
    ['taken back', 'Too early'],
    ['a scan', 'The lease was signed on paper.'],
    ['declined', 'The booking was declined.'],
    ['cancelled', 'The stay was cancelled.'],
    ['deleted booking', 'The booking was deleted.'],
    ['deleted lease', 'The lease was deleted.'],
  ])('%s: links die, and who had signed is told once [SIGNER-10]', async (what, reason) => {
    const app = await testApp()
    const { admin, id, open, sign, signing, tenant } = await makeSigning(app)
    await sign(zoeEmail)
    await open(gusEmail)
    const as = app.as(admin)
    if (what === 'taken back') await as.signing.takeBack({ applicationId: id, reason })
    if (what === 'a scan') {
      const scan = { applicationId: id, content: scanPdf(), name: 'lease.pdf' }
      await uploadSignedLease(app.deps, tenant, 'tenant', scan)
    }
    if (what === 'cancelled')
      await as.cancellations.cancel({ applicationId: id, side: 'owner', reason: 'Water damage' })
    if (what === 'declined') await as.applications.adminSetStatus({ id, status: 'rejected' })
    if (what === 'deleted booking') await as.applications.adminDelete({ id })
    if (what === 'deleted lease') await as.leases.adminRemove({ id })
    await expect(open(gusEmail)).rejects.toThrow(invalid)
    const stored = app.deps.db.select().from(signings).where(eq(signings.id, signing.id)).get()
    expect(stored).toMatchObject({ state: 'voided', reason })
    expect(mailsOf(app, 'signing-voided').map(({ toAddress }) => toAddress)).toEqual([zoeEmail])
    const trail = app.deps.db
      .select()
      .from(events)
      .where(and(eq(events.subjectId, id), like(events.kind, 'lease.signer_signed')))
      .all()
    expect(trail).toMatchObject([{ detail: { name: 'Zoë Müller' }, address: '203.0.113.7' }])
  })

  test('a complete signing survives a decline or cancellation, during which its links open nothing, and ends only with its signed file [SIGNER-10]', async () => {
    const app = await testApp()
    const { admin, id, open, sign, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await sign(zoeEmail)
    await sign(tenantEmail)
    const { applications, cancellations, leases, signing } = app.as(admin)
    await applications.adminSetStatus({ id, status: 'rejected' })
    await expect(open(zoeEmail)).rejects.toThrow(invalid)
    await applications.adminSetStatus({ id, status: 'approved' })
    expect(await open(zoeEmail)).toMatchObject({ state: 'complete' })
    await cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
    await expect(open(zoeEmail)).rejects.toThrow(invalid)
    await applications.adminSetStatus({ id, status: 'approved' })
    expect(await open(zoeEmail)).toMatchObject({ state: 'complete' })
    expect(mailsOf(app, 'signing-voided')).toEqual([])
    await leases.removeSigned({ applicationId: id })
    await expect(open(zoeEmail)).rejects.toThrow()
    expect((await signing.get({ applicationId: id })).signing).toMatchObject({ state: 'voided' })
    expect(mailsOf(app, 'signing-voided')).toHaveLength(2)
  })

  test('deleting the lease voids the signing of a signed addendum: links answer like unknown ones, and signers are mailed [SIGNER-10]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    for (const email of [tenantEmail, zoeEmail]) await sign(email)
    app.advance(60_000)
    await app.as(admin).addenda.make({ applicationId: id, leaseEndDate: '2026-07-03' })
    const links = linksOf(app)
    for (const email of [tenantEmail, zoeEmail]) await links.sign(email)
    await app.as(admin).leases.adminRemove({ id })
    await expect(links.open(zoeEmail)).rejects.toThrow(invalid)
    const documents = mailsOf(app, 'signing-voided').map(({ props }) => props.document)
    expect(documents.sort()).toEqual(['addendum', 'addendum', 'lease', 'lease'])
  })

  test('an addendum whose last day is over takes no signature by a link, also before it is closed [SIGNER-18]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await sign(tenantEmail)
    await sign(zoeEmail)
    await app.as(admin).addenda.make({ applicationId: id, rentalAmount: 2600, validUntil: '2026-03-06' })
    const links = linksOf(app)
    await links.open(zoeEmail)
    app.setNow('2026-03-07T17:00:00.000Z')
    await expect(links.sign(zoeEmail)).rejects.toMatchObject({ cause: { code: 'conflict' } })
    expect(
      app.deps.db
        .select()
        .from(signers)
        .all()
        .filter(({ signedAt }) => signedAt),
    ).toHaveLength(2)
  })

  test('taken back it is signed as if nobody had been invited [SIGNER-10]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenant } = await makeSigning(app)
    await sign(zoeEmail)
    await app.as(admin).signing.takeBack({ applicationId: id, reason: 'No' })
    const again = app.as(admin).signing.takeBack({ applicationId: id, reason: 'No' })
    await expect(again).rejects.toThrow('There are no invitations to sign.')
    await app.as(tenant).leases.sign({ ...typedSignature(id), typedName2: 'Zoë Müller' })
    expect(storedLease(app, id).lease).toMatchObject({ signedBy: 'signature' })
  })

  test('an addendum invites the same people by itself, and is in force with the last signature; withdrawn, its links die [SIGNER-08, SIGNER-10, SIGNER-18]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenant, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await sign(tenantEmail)
    await sign(zoeEmail)
    const make = async () =>
      (
        await app
          .as(admin)
          .addenda.make({ applicationId: id, leaseEndDate: '2026-07-15', rentalAmount: 2500 })
      ).addendum.id
    const withdrawn = await make()
    const { open, sign: signAnew, tokenOf } = linksOf(app)
    const token = tokenOf(zoeEmail)
    await app.as(admin).addenda.withdraw({ addendumId: withdrawn })
    await expect(app.as(visitor).signing.open({ token })).rejects.toMatchObject({
      cause: { message: invalid },
    })

    const addendumId = await make()
    const { signing } = await app.as(admin).signing.get({ applicationId: id, addendumId })
    expect(signing?.signers.map(({ email, role }) => [role, email])).toEqual([
      ['tenant', tenantEmail],
      ['co_tenant', zoeEmail],
    ])
    const { document, consentSentence } = await open(zoeEmail)
    expect(document).toMatchObject({ kind: 'addendum', title: 'Addendum No. 2' })
    expect(mailsOf(app, 'sign-invitation').at(-1)?.props).toMatchObject({
      stay: formatShortStay(document.stay),
    })
    expect(document.stay.end).toBe('2026-07-15')
    expect(consentSentence).toContain('sign this addendum electronically')
    const read = await app.as(tenant).addenda.get({ addendumId })
    const own = { addendumId, typedName: 'Maya Rivers', consent: true, noticeSha256: read.noticeSha256 }
    const first = await app.as(tenant).addenda.sign({ ...own, addendumTextSha256: read.addendumTextSha256 })
    expect(first.addendum.state).toBe('open')
    expect(first.application.leaseEndDate).toBe('2026-07-01')
    expect(await signAnew(zoeEmail)).toMatchObject({ state: 'complete' })
    const { addenda } = await app.as(tenant).addenda.list({ applicationId: id })
    expect(addenda.map(({ state }) => state)).toEqual(['withdrawn', 'signed'])
    const { application } = await app.as(tenant).applications.get({ id })
    expect(application.leaseEndDate).toBe('2026-07-15')
    expect(mailsOf(app, 'addendum-signed-copy').map(({ toAddress }) => toAddress)).toEqual([
      tenantEmail,
      ...[expect.any(String), zoeEmail],
    ])
  })

  test('an addendum signed by everybody on its last day takes effect even if its PDF is stored the next day [SIGNER-11, CHANGE-23]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenant, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await sign(tenantEmail)
    await sign(zoeEmail)
    const terms = { applicationId: id, leaseEndDate: '2026-07-15', rentalAmount: 2600 }
    await app.as(admin).addenda.make({ ...terms, validUntil: '2026-03-06' })
    // 23:58 at the property.
    app.setNow('2026-03-07T04:58:00.000Z')
    const links = linksOf(app)
    await links.sign(tenantEmail)
    const { renderer } = app.deps
    app.deps.renderer = { ...renderer, signingPdf: () => Promise.reject(new Error('killed')) }
    expect(await links.sign(zoeEmail)).toMatchObject({ state: 'signed' })
    app.setNow('2026-03-07T05:01:00.000Z')
    // In the order of the start.
    await tickAddenda(app.deps)
    await tickSignings(app.deps)
    await tickOffers(app.deps)
    const stateNow = async () => (await app.as(tenant).addenda.list({ applicationId: id })).addenda[0]?.state
    expect(await stateNow()).toBe('open')
    const stay = { startDate: '2026-07-10', endDate: '2026-07-12' }
    expect(await errorOf(app.as(admin).manualBookings.create(buildEntry(stay)))).toMatchObject({
      code: 'conflict',
    })
    app.deps.renderer = renderer
    await tickSignings(app.deps)
    expect(await stateNow()).toBe('signed')
    expect(mailsOf(app, 'signing-voided')).toEqual([])
  })

  test('whoever has signed an addendum is not asked again; once all have, nobody declines, withdraws or takes it back, the lease’s signature stays, and what a calendar brings then is a double booking [SIGNER-07, SIGNER-11, CHANGE-28, CHANGE-29, CHANGE-40]', async () => {
    const app = await calendarSite()
    const { admin, id, sign, tenant, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await sign(tenantEmail)
    await sign(zoeEmail)
    const feedId = await app.addFeed('Airbnb')
    const terms = { applicationId: id, leaseEndDate: '2026-07-15', rentalAmount: 2600 }
    const { addendum } = await app.as(admin).addenda.make(terms)
    const addendumId = addendum.id
    const waiting = async () => (await app.as(tenant).applications.get({ id })).application
    expect(await waiting()).toMatchObject({ waiting: { kind: 'addendum' } })
    const links = linksOf(app)
    await links.sign(tenantEmail)
    expect(await waiting()).not.toHaveProperty('waiting')
    const listed = () => app.as(tenant).addenda.list({ applicationId: id })
    expect((await listed()).addenda).toMatchObject([{ state: 'open', tenantSigned: true }])
    const { renderer } = app.deps
    app.deps.renderer = { ...renderer, signingPdf: () => Promise.reject(new Error('killed')) }
    await links.sign(zoeEmail)
    const ended = { code: 'CONFLICT', message: 'This addendum is no longer open.' }
    await expect(app.as(tenant).addenda.decline({ addendumId, reason: 'No' })).rejects.toMatchObject(ended)
    await expect(app.as(admin).addenda.withdraw({ addendumId })).rejects.toMatchObject(ended)
    const takeBack = app.as(admin).signing.takeBack({ applicationId: id, addendumId, reason: 'No' })
    await expect(takeBack).rejects.toMatchObject(ended)
    await expect(app.as(admin).leases.removeSigned({ applicationId: id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This lease has a signed addendum. Delete the lease to begin anew.',
    })
    await app.addEvent(feedId, '2026-07-10', '2026-07-12')
    app.deps.renderer = renderer
    await tickSignings(app.deps)
    const [signed] = (await listed()).addenda
    expect(signed).toMatchObject({ state: 'signed' })
    expect(signed).not.toHaveProperty('tenantSigned')
    expect(calendarNotices(app.deps)).toMatchObject([{ tone: 'danger' }])
    await expect(app.as(admin).addenda.withdraw({ addendumId })).rejects.toMatchObject(ended)
  })

  test('a stay can be shortened to end on the day of the last signature, even if the PDF is stored the day after [SIGNER-11, CHANGE-23]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenant, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    await sign(tenantEmail)
    await sign(zoeEmail)
    // Noon of a day of the stay.
    app.setNow('2026-06-10T16:00:00.000Z')
    await app.as(admin).addenda.make({ applicationId: id, leaseEndDate: '2026-06-10', rentalAmount: 900 })
    const links = linksOf(app)
    await links.sign(tenantEmail)
    const { renderer } = app.deps
    app.deps.renderer = { ...renderer, signingPdf: () => Promise.reject(new Error('killed')) }
    await links.sign(zoeEmail)
    app.deps.renderer = renderer
    app.setNow('2026-06-11T16:00:00.000Z')
    await tickSignings(app.deps)
    const { application } = await app.as(tenant).applications.get({ id })
    expect(application.leaseEndDate).toBe('2026-06-10')
  })

  test('a guest without an account signs an addendum by the own link, too [SIGNER-03, SIGNER-18]', async () => {
    const app = await testApp()
    const admin = await app.makeAdmin()
    const email = 'jon@guest.example'
    const entry = buildEntry({ startDate: '2026-06-01', endDate: '2026-07-01', email })
    const applicationId = (await app.as(admin).manualBookings.create(entry)).application.id
    await app.as(admin).leases.generate({ applicationId, rentalAmount: 2500, depositAmount: 500 })
    await app.as(admin).signing.adminInvite({ applicationId, signers: [] })
    expect(await linksOf(app).sign(email)).toMatchObject({ state: 'complete' })
    await app.as(admin).addenda.make({ applicationId, leaseEndDate: '2026-07-15', rentalAmount: 2500 })
    expect(await linksOf(app).sign(email)).toMatchObject({ state: 'complete' })
    const { application } = await app.as(admin).applications.adminGet({ id: applicationId })
    expect(application.leaseEndDate).toBe('2026-07-15')
  })

  test('nobody is left out of an addendum that could not be in force then, as it would wait for nobody [SIGNER-16, SIGNER-18]', async () => {
    const app = await testApp()
    const { admin, id, sign, tenantEmail } = await makeSigning(app, [
      ...others.slice(0, 1),
      ...others.slice(2),
    ])
    for (const email of [tenantEmail, zoeEmail, gusEmail]) await sign(email)
    app.setNow('2026-06-10T17:00:00.000Z')
    const changed = { leaseEndDate: '2026-06-20', rentalAmount: 2500, validUntil: '2026-06-30' }
    const { addendum } = await app.as(admin).addenda.make({ applicationId: id, ...changed })
    const { sign: signIt } = linksOf(app)
    for (const email of [tenantEmail, zoeEmail]) await signIt(email)
    app.setNow('2026-06-25T17:00:00.000Z')
    const of = { applicationId: id, addendumId: addendum.id }
    const waiting = (await app.as(admin).signing.get(of)).signing?.signers.at(-1)
    await expect(app.as(admin).signing.leaveOut({ signerId: waiting?.id ?? '' })).rejects.toThrow(
      'A new day cannot be before today.',
    )
    const { signing } = await app.as(admin).signing.get(of)
    expect(signing).toMatchObject({ state: 'open', signed: 2, of: 3 })
  })

  test('an addendum asks the owner at the address of today [SIGNER-18]', async () => {
    const app = await testApp()
    await saveSettings(app, { countersign: true })
    const { admin, id, sign, signing, tenantEmail } = await makeSigning(app, others.slice(0, 1))
    const formerEmail = signing.signers.at(-1)?.email ?? ''
    for (const email of [tenantEmail, zoeEmail, formerEmail]) await sign(email)
    const ownerEmail = 'new@dune.example'
    await publishContent(app, { identity: { ...identity, ownerEmail } })
    const before = mailsOf(app, 'sign-invitation').length
    await app.as(admin).addenda.make({ applicationId: id, leaseEndDate: '2026-07-15', rentalAmount: 2500 })
    const invited = mailsOf(app, 'sign-invitation').slice(before)
    expect(invited.map(({ toAddress }) => toAddress)).toEqual([tenantEmail, zoeEmail, ownerEmail])
  })
})

describe('who does not sign', () => {
  test('a change of the owner’s email ends the owner’s links; reminder and next link go to the new one [SIGNER-14, SIGNER-15, SIGNER-20]', async () => {
    const app = await testApp()
    await saveSettings(app, { countersign: true })
    const { admin, id, open, signing, tokenOf } = await makeSigning(app, others.slice(0, 1))
    const { email, id: signerId = '' } = signing.signers.at(-1) ?? {}
    const former = email ?? ''
    const token = tokenOf(former)
    const opens = (token: string) => app.as(visitor).signing.open({ token })
    await opens(token)
    const ownerEmail = 'new@dune.example'
    await publishContent(app, { identity: { ...identity, ownerEmail } })
    await expect(opens(token)).rejects.toThrow(invalid)
    const shown = await app.as(admin).signing.get({ applicationId: id })
    expect(shown.signing?.signers.at(-1)?.email).toBe(ownerEmail)
    app.setNow('2026-03-07T14:00:00.000Z')
    await deliver(app)
    const reminders = app.sentMails.filter(({ subject }) => subject.startsWith('Reminder: please sign'))
    expect(reminders.map(({ to }) => to)).not.toContain(former)
    const reminded = tokenIn(reminders.find(({ to }) => to === ownerEmail)?.text ?? '')
    expect(await opens(reminded)).toMatchObject({ signer: { role: 'owner' } })
    await expect(opens(token)).rejects.toThrow(invalid)
    const resend = (email?: string) => app.as(admin).signing.resend({ signerId, email })
    await refused(
      app,
      () => resend(former),
      'bad_request',
      `The owner’s link goes to ${ownerEmail}.`,
      'email',
    )
    expect((await resend(ownerEmail)).signer).toMatchObject({ email: ownerEmail })
    await expect(opens(reminded)).rejects.toThrow(invalid)
    expect(await open(ownerEmail)).toMatchObject({ signer: { role: 'owner' } })
  })

  test('the owner’s signature with the session names the email of that moment, and ends a link to a former one [SIGNER-12, SIGNER-20]', async () => {
    const app = await testApp()
    await saveSettings(app, { countersign: true })
    const { admin, open, signing, tenantEmail, tokenOf } = await makeSigning(app, others.slice(0, 1))
    const { email, id: signerId = '' } = signing.signers.at(-1) ?? {}
    const token = tokenOf(email ?? '')
    await publishContent(app, { identity: { ...identity, ownerEmail: 'new@dune.example' } })
    await app
      .as(admin)
      .signing.countersign({ signerId, ...signatureOf(await open(tenantEmail), 'The Owner') })
    expect(app.deps.db.select().from(signers).where(eq(signers.id, signerId)).get()).toMatchObject({
      email: 'new@dune.example',
    })
    await expect(app.as(visitor).signing.open({ token })).rejects.toThrow(invalid)
  })

  test('is reminded at nine of each day, of several missed the newest alone, by a further link [SIGNER-14]', async () => {
    const app = await testApp()
    const { open, sign, tenantEmail, tokenOf } = await makeSigning(app, others.slice(0, 1))
    tokenOf(zoeEmail)
    await sign(tenantEmail)
    const reminders = () => app.sentMails.filter(({ subject }) => subject.startsWith('Reminder: please sign'))
    app.setNow('2026-03-07T13:59:00.000Z')
    await deliver(app)
    expect(reminders()).toHaveLength(0)
    app.setNow('2026-03-12T14:00:00.000Z')
    await deliver(app)
    await deliver(app)
    expect(reminders().map(({ to }) => to)).toEqual([zoeEmail])
    expect(await open(zoeEmail)).toMatchObject({ state: 'open' })
    const token = tokenIn(reminders()[0]?.text ?? '')
    const opened = await app.as(visitor).signing.open({ token })
    await app.as(visitor).signing.sign({ token, ...signatureOf(opened) })
    app.advance(60 * dayMs)
    await deliver(app)
    expect(reminders()).toHaveLength(1)
  })

  test('for a day after a restore nobody is reminded, as a signature may be lost [SIGNER-14, INST-42]', async () => {
    const app = await testApp()
    await makeSigning(app, others.slice(0, 1))
    const [from, at] = [app.deps.clock.now().toISOString(), new Date('2026-03-07T13:00:00.000Z')]
    markRestored(app.deps.config.databaseFile, from, at)
    app.setNow('2026-03-08T12:59:59.000Z')
    await deliver(app)
    expect(mailsOf(app, 'sign-reminder')).toEqual([])
    app.setNow('2026-03-08T13:00:00.000Z')
    await deliver(app)
    expect(mailsOf(app, 'sign-reminder').length).toBeGreaterThan(0)
  })

  test('a reminder that was overtaken is not sent [SIGNER-14]', async () => {
    const app = await testApp()
    const { sign } = await makeSigning(app, others.slice(0, 1))
    app.setNow('2026-03-07T14:00:00.000Z')
    const scheduler = startMailScheduler(app.deps, scheduledMailSources)
    await scheduler.tick()
    await scheduler.stop()
    const row = mailsOf(app, 'sign-reminder').find(({ toAddress }) => toAddress === zoeEmail)
    if (!row) throw new Error('no reminder')
    await sign(zoeEmail)
    await expect(composeMail(app.deps, mailSources, row)).rejects.toThrow()
  })

  test('may decline, which the owner reads once, and sign nevertheless [SIGNER-16]', async () => {
    const app = await testApp()
    const { admin, id, sign, tokenOf } = await makeSigning(app)
    const decline = (reason: string) => app.as(visitor).signing.decline({ token: tokenOf(gusEmail), reason })
    await expect(decline(' ')).rejects.toMatchObject({ cause: { name: 'ZodError' } })
    await decline('Not for\r\nso long')
    await decline('Still not')
    const [mail, ...more] = mailsOf(app, 'sign-declined')
    expect(more).toEqual([])
    if (!mail) throw new Error('no mail')
    const { subject } = await composeMail(app.deps, mailSources, mail)
    expect(subject).toMatch(/^Gus Grant declined to sign \(APP-/)
    const gus = async () => (await app.as(admin).signing.get({ applicationId: id })).signing?.signers[3]
    expect(await gus()).toMatchObject({ state: 'declined', declineReason: 'Not for\r\nso long' })
    await sign(gusEmail)
    expect(await gus()).toMatchObject({ state: 'signed' })
    await expect(decline('After all')).rejects.toThrow('You have signed already.')
  })

  test('may be left out, unless named in the lease; the others complete it [SIGNER-16]', async () => {
    const app = await testApp()
    const { admin, id, sign, signing, tenantEmail } = await makeSigning(app)
    const leaveOut = (at: number) =>
      app.as(admin).signing.leaveOut({ signerId: signing.signers[at]?.id ?? '' })
    for (const at of [0, 1])
      await refused(app, () => leaveOut(at), 'conflict', 'A tenant named in the lease cannot be left out.')
    await sign(zoeEmail)
    app.advance(60_000)
    await sign(tenantEmail)
    expect((await leaveOut(2)).signing).toMatchObject({ state: 'open', signed: 2, of: 3 })
    app.advance(60_000)
    expect((await leaveOut(3)).signing).toMatchObject({ state: 'complete', signed: 2, of: 2 })
    expect(storedLease(app, id).lease?.signedAt).toBe('2026-03-04T17:01:00.000Z')
    expect(await signedText(app, id)).not.toContain('Gus Grant')
  })

  test('gets the link at another address; once signed nothing is sent again [SIGNER-15]', async () => {
    const app = await testApp()
    const { admin, open, sign, signing } = await makeSigning(app)
    const signerId = signing.signers[3]?.id ?? ''
    const resend = (email?: string) => app.as(admin).signing.resend({ signerId, email })
    await open(gusEmail)
    expect((await resend('g2@guest.example')).signer).toMatchObject({ email: 'g2@guest.example' })
    await expect(open(gusEmail)).rejects.toThrow(invalid)
    await sign('g2@guest.example')
    await refused(app, () => resend(), 'conflict', 'Gus Grant has signed already.')
  })

  test('is mailed at most ten times an hour, sent again or taken back and invited again [SIGNER-19]', async () => {
    const app = await testApp()
    const { admin, id, signing } = await makeSigning(app)
    const owner = app.as(admin).signing
    const resend = () => owner.resend({ signerId: signing.signers[3]?.id ?? '' })
    for (let i = 0; i < 9; i++) await resend()
    const tooMany = 'Too many attempts. Please wait a while and try again.'
    await refused(app, resend, 'too_many', tooMany)
    await owner.takeBack({ applicationId: id, reason: 'Again' })
    const invite = () => owner.adminInvite({ applicationId: id, signers: others })
    await refused(app, invite, 'too_many', tooMany)
    const isInvitation = and(eq(outbox.kind, 'sign-invitation'), eq(outbox.toAddress, gusEmail))
    expect(app.deps.db.select().from(outbox).where(isInvitation).all()).toHaveLength(10)
  })
})

test.each([
  [{ separate: 'yes' }, 'body.separate'],
  [{ linkDays: 6 }, 'body.linkDays'],
  [{ linkDays: 91 }, 'body.linkDays'],
  [{ reminderDays: [0] }, 'body.reminderDays.0'],
  [{ reminderDays: [3, 3] }, 'body.reminderDays'],
  [{ reminderDays: [1, 2, 3, 4, 5, 6] }, 'body.reminderDays'],
])('the settings refuse %j [SIGNER-01, SIGNER-03, SIGNER-14]', async (body, field) => {
  const app = await testApp()
  const authorization = `Bearer ${await tokenOf(app, await app.makeAdmin())}`
  const response = await app.http.inject({
    method: 'PUT',
    url: '/api/setup/admin/signing',
    headers: { authorization },
    payload: { version: 0, body },
  })
  expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, [field]])
})
