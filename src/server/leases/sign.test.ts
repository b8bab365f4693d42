import { encode } from 'fast-png'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../domain/common/errors.ts'
import { noticeSha256 } from '../../domain/leases/lease-signing.ts'
import { makeBooking } from '../../testing/build-application.ts'
import { changeEmail } from '../../testing/build-email-change.ts'
import { makeLease, snapshotState, storedLease, tokenOf, typedSignature } from '../../testing/build-lease.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { signatureDataUrl, signaturePng } from '../../testing/png.ts'
import { type TestApp, testApp, testOrigin } from '../../testing/test-app.ts'
import { sha256 } from '../lib/sha256.ts'
import { composeMail } from '../mail/compose.ts'
import { createRenderer, type Renderer } from '../workers/threads.ts'
import { emailChangedMessage } from './signature.ts'

const pair = { secondApplicantFirstName: 'Zoë', secondApplicantLastName: 'Müller' }
/** An empty canvas. */
const blank = Buffer.from(
  encode({ width: 60, height: 20, channels: 4, data: new Uint8Array(4800) }),
).toString('base64')

/** The text of the signing certificate, lines joined. */
async function certificateOf(app: TestApp, id: string): Promise<string> {
  const { file } = storedLease(app, id)
  if (!file) throw new Error('no file')
  return (
    pdfText(await app.deps.files.read(file))
      .at(-1)
      ?.join(' ') ?? ''
  )
}

const ownConsent = (notice: string) =>
  new RegExp(`Consent given to the notice with the SHA-256 ${notice}`, 'g')

const lastSigning = (app: TestApp) =>
  snapshotState(app).events.findLast(({ kind }) => kind === 'lease.signed')?.detail

async function refused(app: TestApp, call: () => Promise<unknown>, code: string, message: string) {
  const before = snapshotState(app)
  await expect(call()).rejects.toMatchObject({ cause: { code, message } })
  expect(snapshotState(app)).toEqual(before)
}

/** The real renderer, with counts of its calls. */
function countingRenderer() {
  const renderer = createRenderer()
  const counts = { pictures: 0, leases: 0 }
  const counting: Renderer = {
    ...renderer,
    signatureImage: text => {
      counts.pictures++
      return renderer.signatureImage(text)
    },
    signedLeasePdf: lease => {
      counts.leases++
      return renderer.signedLeasePdf(lease)
    },
  }
  return { renderer: counting, counts }
}

describe('signing', () => {
  test('counts against the rate limit before it decodes an image [FIX-19]', async () => {
    const { renderer, counts } = countingRenderer()
    const app = await testApp({ replace: { renderer } })
    const { tenant, id } = await makeLease(app)
    const unreadable = {
      ...typedSignature(id),
      signatureImageBase64: signaturePng().toString('base64', 0, 60),
    }
    const sign = () => app.as(tenant).leases.sign(unreadable)
    for (let at = 0; at < 30; at++)
      await refused(app, sign, 'bad_request', 'The signature could not be read. Please sign again.')
    expect(counts).toEqual({ pictures: 30, leases: 0 })
    for (let at = 0; at < 5; at++)
      await refused(app, sign, 'too_many', 'Too many attempts. Please wait a while and try again.')
    expect(counts).toEqual({ pictures: 30, leases: 0 })
    await renderer.close()
  })

  test('a change of email while the signature is drawn refuses it, because the certificate names the email [SIGNER-12]', async () => {
    const app = await testApp()
    const { tenant, id } = await makeLease(app)
    const { renderer } = app.deps
    const signedLeasePdf: Renderer['signedLeasePdf'] = async lease => {
      await changeEmail(app, tenant, 'new@guest.example')
      return renderer.signedLeasePdf(lease)
    }
    app.deps.renderer = { ...renderer, signedLeasePdf }
    const sign = () => app.as(tenant).leases.sign(typedSignature(id))
    await expect(sign()).rejects.toMatchObject({ cause: { code: 'conflict', message: emailChangedMessage } })
    app.deps.renderer = renderer
    await sign()
    expect(await certificateOf(app, id)).toContain('new@guest.example')
  })

  test.each([
    ['too wide', signaturePng(1201, 1), 'A signature is at most 1200 × 400 pixels large. Please sign again.'],
    ['too high', signaturePng(1, 401), 'A signature is at most 1200 × 400 pixels large. Please sign again.'],
    ['cut off', signaturePng().subarray(0, 20), 'The signature could not be read. Please sign again.'],
    ['no picture', Buffer.from('<svg/>'), 'The signature could not be read. Please sign again.'],
  ])(
    'rejects an image that is %s by its first bytes, at its field [FIX-19]',
    async (_title, image, message) => {
      const { renderer, counts } = countingRenderer()
      const app = await testApp({ replace: { renderer } })
      const { tenant, id } = await makeLease(app, pair)
      for (const field of ['signatureImageBase64', 'signatureImageBase64_2'])
        for (const prefix of ['', 'data:image/png;base64,']) {
          const images = {
            signatureImageBase64: signatureDataUrl(),
            signatureImageBase64_2: signatureDataUrl(),
          }
          const sent = { ...images, [field]: `${prefix}${image.toString('base64')}` }
          await expect(
            app.as(tenant).leases.sign({ ...typedSignature(id), ...sent, mode: 'draw' }),
          ).rejects.toMatchObject({ cause: { code: 'bad_request', message, fields: { [field]: message } } })
        }
      expect(counts).toEqual({ pictures: 0, leases: 0 })
    },
  )

  test('returns the field of an image that cannot be decoded [FIX-19]', async () => {
    const app = await testApp()
    const { tenant, id } = await makeLease(app, pair)
    const sent = {
      typedName2: 'Zoë Müller',
      signatureImageBase64_2: signaturePng().toString('base64', 0, 60),
    }
    const message = 'The signature could not be read. Please sign again.'
    await expect(app.as(tenant).leases.sign({ ...typedSignature(id), ...sent })).rejects.toMatchObject({
      cause: { code: 'bad_request', fields: { signatureImageBase64_2: message } },
    })
  })

  test('stores nothing when the renderer is busy or crashes, and accepts the next attempt [FIX-19]', async () => {
    const renderer = createRenderer()
    const failures = [
      new AppError('unavailable', 'The site is busy.', { retryAfterSeconds: 2 }),
      new Error('lost'),
    ]
    const failing: Renderer = {
      ...renderer,
      signedLeasePdf: async lease => {
        const failure = failures.shift()
        if (failure) throw failure
        return renderer.signedLeasePdf(lease)
      },
    }
    const app = await testApp({ replace: { renderer: failing } })
    const { tenant, id } = await makeLease(app)
    const authorization = `Bearer ${await tokenOf(app, tenant)}`
    const before = snapshotState(app)
    const path = `/api/lease/sign/${id}`
    const sign = async () =>
      app.http.inject({
        method: 'POST',
        url: path,
        headers: { authorization },
        payload: typedSignature(id),
      })
    const busy = await sign()
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '2'])
    expect((await sign()).statusCode).toBe(500)
    expect(snapshotState(app)).toEqual(before)
    expect((await sign()).statusCode).toBe(200)
    await renderer.close()
  })

  test('stores the signed PDF with both signatures and its certificate, and mails it to tenant and owner [SIGN-15]', async () => {
    const app = await testApp()
    const { tenant, id, leaseText, leaseTextSha256 } = await makeLease(app, pair)
    app.advance(90_000)
    const answer = await app.as(tenant).leases.sign({
      ...typedSignature(id, leaseTextSha256),
      typedName2: 'Zoë Müller',
      signatureImageBase64_2: signatureDataUrl(),
    })
    expect(answer).toMatchObject({
      message: 'Lease signed successfully',
      application: {
        leaseSigned: true,
        leaseSignedAt: '2026-03-04T17:01:30.000Z',
        signedBy: 'signature',
        signedLeaseFile: { originalName: 'lease-agreement-Maya-Rivers-signed.pdf', uploadedBy: 'user' },
      },
    })
    const { file } = storedLease(app, id)
    if (!file) throw new Error('no file')
    const pages = pdfText(await app.deps.files.read(file))
    expect(pages.slice(0, -2).flat().join('').replace(/\s/g, '')).toContain(
      leaseText.slice(0, 600).replace(/\s/g, ''),
    )
    const certificate = pages.at(-1)?.join('\n') ?? ''
    for (const fact of [
      'Maya Rivers, typed signature',
      'Zoë Müller, typed signature',
      testOrigin.address,
      testOrigin.userAgent,
      '2026-03-04 17:01:30 UTC',
      'I agree to sign this lease electronically.',
      'Version of the sentence: 2026-12',
      sha256(leaseText),
    ])
      expect(certificate.replaceAll('\n', ' ')).toContain(fact)
    const mails = app.deps.db.query.outbox
      .findMany()
      .sync()
      .filter(({ kind }) => kind === 'lease-signed-copy')
    expect(mails.map(({ toAddress, props }) => [toAddress, props.fileId])).toEqual([
      [expect.stringMatching(/^tenant-/), file.id],
      [app.deps.config.site.ownerEmail, file.id],
    ])
  })

  test('the certificate states whether the client confirmed text and notice [FIX-13, FIX-14]', async () => {
    const app = await testApp()
    const { tenant, id, leaseTextSha256 } = await makeLease(app)
    const notice = await noticeSha256(app.deps.config.site)
    const unconfirmed = [
      'Not confirmed by the client. The client did not confirm which text was shown.',
      'Not confirmed by the client. The client did not confirm which notice was shown.',
    ]
    const sign = async (hashes: object) => {
      await app.as(tenant).leases.sign({ ...typedSignature(id), ...hashes })
      const certificate = await certificateOf(app, id)
      const event = lastSigning(app)
      await app.as(await app.makeAdmin()).leases.removeSigned({ applicationId: id })
      return { certificate, event }
    }

    const blind = await sign({ leaseTextSha256: undefined })
    for (const sentence of unconfirmed) expect(blind.certificate).toContain(sentence)
    expect(blind.certificate).not.toMatch(/Text shown Confirmed|Notice shown Confirmed|as they were shown/)
    expect(blind.certificate).not.toMatch(ownConsent(notice))
    expect(blind.event).toMatchObject({ textShown: 'not confirmed', noticeShown: 'not confirmed' })

    const shown = await sign({ leaseTextSha256, noticeSha256: notice })
    for (const row of ['Text shown Confirmed by the client', 'Notice shown Confirmed by the client'])
      expect(shown.certificate).toContain(row)
    expect(shown.certificate).toMatch(ownConsent(notice))
    expect(shown.certificate).not.toContain('Not confirmed')
    expect(shown.event).toMatchObject({
      textShown: 'confirmed',
      noticeShown: 'confirmed',
      noticeSha256: notice,
      leaseTextSha256,
    })
  })

  test('rejects an outdated notice and stores nothing [FIX-14]', async () => {
    const app = await testApp()
    const { tenant, id, leaseTextSha256 } = await makeLease(app)
    const older = await noticeSha256({ ...app.deps.config.site, ownerPhone: '850-555-0100' })
    for (const noticeSha256 of [older, '', leaseTextSha256])
      await refused(
        app,
        () => app.as(tenant).leases.sign({ ...typedSignature(id, leaseTextSha256), noticeSha256 }),
        'conflict',
        'The notice about electronic records and signatures has changed since it was shown to you. Please reload the page and read it again before you sign.',
      )
  })

  test('records the consent of each signer, or that one consent was sent for both [FIX-14]', async () => {
    const app = await testApp()
    const { tenant, id, leaseTextSha256 } = await makeLease(app, pair)
    const notice = await noticeSha256(app.deps.config.site)
    const signature = {
      ...typedSignature(id, leaseTextSha256),
      typedName2: 'Zoë Müller',
      noticeSha256: notice,
    }
    await refused(
      app,
      () => app.as(tenant).leases.sign({ ...signature, consent2: false }),
      'bad_request',
      'Co-applicant must provide consent to sign electronically.',
    )
    await app.as(tenant).leases.sign({ ...signature, consent2: true })
    const both = await certificateOf(app, id)
    expect(both.match(ownConsent(notice))).toHaveLength(2)
    expect(both).toContain('Both signatures were sent together from this account.')
    expect(lastSigning(app)).toMatchObject({
      name: 'Maya Rivers',
      consent: 'given',
      coApplicantName: 'Zoë Müller',
      coApplicantConsent: 'given',
      noticeSha256: notice,
    })

    await app.as(await app.makeAdmin()).leases.removeSigned({ applicationId: id })
    await app.as(tenant).leases.sign(signature)
    const shared = await certificateOf(app, id)
    expect(shared.match(ownConsent(notice))).toHaveLength(1)
    expect(shared).toContain('No own consent was sent: one consent was sent for both signers.')
    expect(lastSigning(app)).toMatchObject({ consent: 'given', coApplicantConsent: 'sent for both' })
  })

  test('sends the co-applicant a copy to the given address, and rejects more than one address [FIX-14]', async () => {
    const app = await testApp()
    const { tenant, id } = await makeLease(app, pair)
    const signature = { ...typedSignature(id), typedName2: 'Zoë Müller' }
    const before = snapshotState(app)
    for (const coApplicantEmail of [
      'zoe',
      'zoe@a.example, eve@b.example',
      'zoe@a.example;eve@b.example',
      'zoe@a.example\nBcc: eve@b.example',
      'Zoe <zoe@a.example>',
    ])
      await expect(app.as(tenant).leases.sign({ ...signature, coApplicantEmail })).rejects.toThrow(
        'Please enter a valid email address',
      )
    expect(snapshotState(app)).toEqual(before)
    await app.as(tenant).leases.sign({ ...signature, coApplicantEmail: ' zoe@guest.example ' })
    const { file } = storedLease(app, id)
    const copies = () =>
      snapshotState(app).outbox.filter(
        ({ kind, props }) => kind === 'lease-signed-copy' && props.fileId === file?.id,
      )
    expect(copies().map(({ toAddress, props }) => [toAddress, props.firstName, props.givenBy])).toEqual([
      [expect.stringMatching(/^tenant-/), 'Maya', undefined],
      [app.deps.config.site.ownerEmail, '', undefined],
      ['zoe@guest.example', 'Zoë', 'Maya Rivers'],
    ])
    const row = copies()[2]
    if (!row) throw new Error('no copy')
    const mail = await composeMail(app.deps, noMailSources, row)
    expect(mail.to).toBe('zoe@guest.example')
    expect(mail.text).toContain('Hello Zoë,')
    expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(
      'Maya Rivers gave us your address for this copy when you signed together; we use it for nothing else.',
    )
    expect(mail.text).not.toContain('portal')
    expect(mail.attachments.map(({ content }) => sha256(content))).toEqual([file?.sha256])
    expect(lastSigning(app)).toMatchObject({ coApplicantEmail: 'zoe@guest.example' })
    expect(storedLease(app, id).row.email).not.toBe('zoe@guest.example')
  })

  test('sends no second copy to the account’s address, and rejects an address without a co-applicant [FIX-14]', async () => {
    const app = await testApp()
    const copies = () => snapshotState(app).outbox.filter(({ kind }) => kind === 'lease-signed-copy')
    const { tenant, id, admin } = await makeLease(app, pair)
    const { email } = storedLease(app, id).row
    const signature = { ...typedSignature(id), typedName2: 'Zoë Müller' }
    await app.as(tenant).leases.sign({ ...signature, coApplicantEmail: email.toUpperCase() })
    expect(copies()).toHaveLength(2)
    const other = await makeBooking(app, tenant, admin, {
      requestedStartDate: '2026-08-01',
      requestedEndDate: '2026-09-01',
    })
    await app.as(admin).leases.generate({ applicationId: other.id })
    await refused(
      app,
      () =>
        app.as(tenant).leases.sign({ ...typedSignature(other.id), coApplicantEmail: 'zoe@guest.example' }),
      'bad_request',
      'This application has no co-applicant.',
    )
  })

  test('labels a drawn signature with the name in the lease, and typesets a typed name without an image', async () => {
    const app = await testApp()
    const { tenant, id } = await makeLease(app)
    const certified = async () => {
      const { file } = storedLease(app, id)
      return file
        ? pdfText(await app.deps.files.read(file))
            .slice(-2)
            .flat()
        : []
    }
    const image = signatureDataUrl().replace('data:image/png;base64,', '')
    await app.as(tenant).leases.sign({ id, typedName: '', signatureImageBase64: image, consent: true })
    expect(await certified()).toContain('Maya Rivers, drawn signature')
    await app.as(await app.makeAdmin()).leases.removeSigned({ applicationId: id })
    await app.as(tenant).leases.sign({ id, typedName: 'Maya R. Rivers', consent: true })
    expect(await certified()).toEqual(
      expect.arrayContaining(['Maya R. Rivers, typed signature', 'Set in type by the server']),
    )
  })

  test.each([
    ['without consent', { consent: false }, 'Please provide consent to sign electronically.'],
    ['without a name', { mode: 'type', typedName: ' ' }, 'Please type your full name to sign.'],
    ['without the co-applicant’s name', {}, 'Co-applicant must type their full name to sign.'],
    [
      'drawn, without a drawing',
      { mode: 'draw', signatureImageBase64: '' },
      'Please draw your signature before submitting.',
    ],
    [
      'drawn, with an empty drawing',
      { mode: 'draw', signatureImageBase64: blank, signatureImageBase64_2: signatureDataUrl() },
      'Please draw your signature before submitting.',
    ],
    [
      'drawn, without the co-applicant’s',
      { mode: 'draw' },
      'Co-applicant must draw their signature before submitting.',
    ],
    [
      'with something that is no picture',
      { typedName2: 'Zoë Müller', signatureImageBase64: 'data:image/png;base64,AAAA' },
      'The signature could not be read. Please sign again.',
    ],
  ] as const)(
    'rejects a signature %s [SIGN-03, SIGN-04, SIGN-05, SIGN-06, SIGN-07]',
    async (_title, values, message) => {
      const app = await testApp()
      const { tenant, id } = await makeLease(app, pair)
      await refused(
        app,
        () => app.as(tenant).leases.sign({ ...typedSignature(id), ...values }),
        'bad_request',
        message,
      )
    },
  )

  test('a single tenant signs alone', async () => {
    const app = await testApp()
    const { tenant, id } = await makeLease(app)
    expect((await app.as(tenant).leases.sign(typedSignature(id))).application.leaseSigned).toBe(true)
  })

  test('is allowed only for the tenant, after generation, and not for a declined application', async () => {
    const app = await testApp()
    const { tenant, admin, id } = await makeLease(app)
    const stranger = await app.makeTenant()
    const bare = await makeBooking(app, tenant, admin, {
      requestedStartDate: '2026-08-01',
      requestedEndDate: '2026-09-01',
    })
    const sign = (actor: typeof tenant, which: string) => () =>
      app.as(actor).leases.sign(typedSignature(which))
    await refused(app, sign(admin, id), 'forbidden', 'Only the tenant can sign the lease.')
    await refused(app, sign(stranger, id), 'not_found', 'Application not found')
    await refused(app, sign(tenant, bare.id), 'not_found', 'Lease not yet generated by admin')
    await app.as(admin).applications.adminSetStatus({ id, status: 'rejected' })
    await refused(
      app,
      sign(tenant, id),
      'conflict',
      'The application must be approved before its lease is signed.',
    )
  })

  test('rejects a text that changed since it was shown, and accepts the new text [FIX-13]', async () => {
    const app = await testApp()
    const { tenant, admin, id, leaseTextSha256 } = await makeLease(app)
    await app.as(admin).applications.adminEdit({ id, rentalAmount: 2800 })
    const changed = 'The lease has changed since it was shown to you. Please read it again before you sign.'
    await refused(
      app,
      () => app.as(tenant).leases.sign(typedSignature(id, leaseTextSha256)),
      'conflict',
      changed,
    )
    const shown = await app.as(tenant).leases.preview({ id })
    expect(shown.leaseText).toContain('$2,800.00')
    await app.as(tenant).leases.sign(typedSignature(id, shown.leaseTextSha256))
    expect(storedLease(app, id).lease?.textSha256).toBe(shown.leaseTextSha256)
  })

  test('does not sign a text that changes while the signature is processed', async () => {
    const app = await testApp()
    const { tenant, admin, id } = await makeLease(app)
    const [signing, editing] = await Promise.allSettled([
      app.as(tenant).leases.sign(typedSignature(id)),
      app.as(admin).applications.adminEdit({ id, rentalAmount: 2800 }),
    ])
    expect([signing.status, editing.status]).toEqual(['rejected', 'fulfilled'])
    expect(snapshotState(app)).toMatchObject({ files: [], stored: ['incoming', 'orphans'] })
    expect(storedLease(app, id).lease).toMatchObject({ rentCents: 280_000, signedAt: null })
  })

  test('accepts one of ten concurrent signatures, of which one waits for its PDF, and none later', async () => {
    const { renderer, counts } = countingRenderer()
    const app = await testApp({ replace: { renderer } })
    const { tenant, id } = await makeLease(app)
    const sign = () => app.as(tenant).leases.sign(typedSignature(id))
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, sign))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(counts.leases).toBe(1)
    const { files, stored, outbox, events } = snapshotState(app)
    expect(files).toHaveLength(1)
    expect(stored.toSorted()).toEqual(['incoming', 'orphans', files[0]?.storageName].toSorted())
    expect(outbox.filter(({ kind }) => kind === 'lease-signed-copy')).toHaveLength(2)
    expect(events.filter(({ kind }) => kind === 'lease.signed')).toHaveLength(1)
    await refused(app, sign, 'conflict', 'This lease is signed already.')
    await renderer.close()
  })
})
