import { createElement } from 'react'
import { expect, test } from 'vitest'
import { outbox } from '../../../db/schema.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { testApp } from '../../testing/test-app.ts'
import { currentSite } from '../site/content/published.ts'
import { composeMail, renderMail } from './compose.ts'
import type { MailSources } from './define-mail.ts'
import { enqueueMail, type QueuedMail } from './outbox.ts'

const evil = '<img src=x onerror=alert(1)>"\'</p></style></title>{{1}}\r\nBcc: b@evil.example'
const stay = { startDate: '2026-06-01', endDate: '2026-07-15' }
const application = {
  firstName: evil,
  applicationNumber: evil,
  applicationId: 'app-1',
  notes: evil,
  ...stay,
}
const forOwner = { applicationNumber: evil, applicationId: 'app-1', applicantName: evil, ...stay }
const receipt = {
  firstName: 'Maya',
  email: 'maya@guest.example',
  applicationNumber: 'APP-2026-0007',
  paymentTypeLabel: 'Rent',
  amountCents: 250_000,
  feeCents: 7500,
  totalCents: 257_500,
  refundedCents: 0,
  isDisputed: false,
  paidAt: '2026-03-04T03:00:00.000Z',
  transactionId: 'pi_3OaXyZ2eZvKYlo2C',
  cardBrand: 'Visa',
  cardLast4: '4242',
}
const sourcesOf = (facts: typeof receipt): MailSources => ({
  ...noMailSources,
  receipt: async () => ({ facts, pdf: Buffer.from('%PDF-1.7') }),
  reminder: () => {
    const part = { label: evil, amountCents: 1_00, dueDate: '2026-03-04' }
    const content = { subject: 'Payment due today: $1.00', overdue: [], due: [part], next: [] }
    const stay = { start: '2026-03-04', end: '2026-04-04' }
    return { firstName: evil, applicationNumber: evil, applicationId: 'app-1', stay, content }
  },
  criticalNotices: () => [{ id: 'a', title: evil, detail: evil }],
  offer: () => ({
    firstName: evil,
    name: evil,
    start: '2026-06-01',
    end: '2026-07-15',
    guests: 2,
    until: 'June 2, 2026',
    lines: [{ label: evil, amountCents: 100 }],
    totalCents: 100,
    depositCents: 0,
    message: evil,
    afterAccepting: undefined,
    missing: [],
    lapses: false,
    linkId: 'link-1',
    applicationId: 'app-1',
    applicationNumber: evil,
  }),
})
const bankPayment = {
  tenantName: evil,
  firstName: evil,
  applicationNumber: evil,
  applicationId: 'app-1',
  paymentTypeLabel: evil,
  amountCents: 100,
  reason: evil,
}
const address = { to: 'maya@guest.example', dedupeKey: 'one' }
const factorChanges = ['totp-added', 'passkey-removed', 'recovery-codes', 'reset'] as const
const hostile: QueuedMail[] = [
  {
    ...address,
    kind: 'password-reset',
    props: { email: evil, displayName: evil, linkId: 'link-1' },
  },
  { ...address, kind: 'application-received', props: application },
  { ...address, kind: 'application-approved', props: application },
  { ...address, kind: 'application-declined', props: application },
  { ...address, kind: 'lease-ready', props: application },
  { ...address, kind: 'booking-complete', props: application },
  { ...address, kind: 'owner-new-application', props: forOwner },
  { ...address, kind: 'owner-withdrawn', props: forOwner },
  {
    ...address,
    kind: 'owner-payment-received',
    props: {
      tenantName: evil,
      applicationNumber: evil,
      applicationId: null,
      paymentTypeLabel: evil,
      amountCents: 100,
      feeCents: 3,
      paidAt: receipt.paidAt,
    },
  },
  {
    ...address,
    kind: 'owner-payment-disputed',
    props: {
      tenantName: evil,
      applicationNumber: evil,
      applicationId: null,
      paymentTypeLabel: evil,
      disputeId: evil,
      totalCents: 103,
      dueBy: receipt.paidAt,
      paidAt: null,
    },
  },
  { ...address, kind: 'payment-receipt', props: { paymentId: 'p' } },
  {
    ...address,
    kind: 'contact-message',
    props: {
      from_name: evil,
      from_email: 'jonas@guest.example',
      phone: evil,
      subject: evil,
      message: evil,
      recipient: 'owner@condo.example',
      sent_date: receipt.paidAt,
    },
  },
  {
    ...address,
    kind: 'owner-contact-changed',
    props: {
      changes: [{ label: 'Ways to pay', before: evil, after: evil }],
      where: 'versions',
      by: evil,
      at: receipt.paidAt,
      address: '203.0.113.9',
      userAgent: evil,
    },
  },
  {
    ...address,
    kind: 'payment-reminder',
    props: { applicationId: 'app-1', stageDate: '2026-03-04' },
  },
  { ...address, kind: 'owner-critical-notices', props: { date: '2026-03-04', noticeIds: ['a'] } },
  {
    ...address,
    kind: 'new-login',
    props: {
      displayName: evil,
      at: receipt.paidAt,
      browser: evil,
      address: evil,
      linkId: 'link-1',
    },
  },
  ...(['old', 'new'] as const).map(
    (side): QueuedMail => ({
      ...address,
      kind: 'email-change-link',
      props: {
        side,
        newEmail: evil,
        linkId: 'link-1',
        at: receipt.paidAt,
        address: '203.0.113.9',
        userAgent: evil,
      },
    }),
  ),
  { ...address, kind: 'email-change-taken', props: { email: evil } },
  {
    ...address,
    kind: 'email-changed',
    props: {
      oldEmail: evil,
      newEmail: evil,
      at: receipt.paidAt,
      undoLinkId: 'link-1',
    },
  },
  ...factorChanges.map(change => ({
    ...address,
    kind: 'factor-changed' as const,
    props: { change, label: evil, isOn: true, at: receipt.paidAt, browser: evil, address: evil },
  })),
  {
    ...address,
    kind: 'recovery-code-used',
    props: { left: 9, at: receipt.paidAt, browser: evil, address: evil },
  },
  { ...address, kind: 'test-mail', props: {} },
  ...(['on-its-way', 'failed', 'returned'] as const).map(
    (what): QueuedMail => ({ ...address, kind: `bank-payment-${what}`, props: bankPayment }),
  ),
  { ...address, kind: 'bank-payment-failed', props: { ...bankPayment, forOwner: true } },
  { ...address, kind: 'deposit-returned', props: { ...application, ways: [[evil, 100]] } },
  ...(['offer', 'offer-ends', 'promise', 'promise-ends', 'promise-asked'] as const).map(
    (kind): QueuedMail => ({ ...address, kind, props: { claimId: 'c', round: 1 } }),
  ),
  { ...address, kind: 'offer-over', props: { claimId: 'c', reason: evil } },
  { ...address, kind: 'offer-lapsed', props: { claimId: 'c', who: 'guest' } },
  { ...address, kind: 'cancellation-declined', props: { ...application, tenantName: evil, note: evil } },
  {
    ...address,
    kind: 'charge-added',
    props: { ...application, label: evil, amountCents: 100, balanceCents: 100 },
  },
  {
    ...address,
    kind: 'message-to-guest',
    props: { applicationId: 'app-1', firstName: evil, subject: evil, message: evil },
  },
]

/** Composes a mail from its outbox row, as the worker does. */
async function compose(mail: QueuedMail, facts = receipt) {
  const app = await testApp({
    env: { ORIGIN: 'https://condo.example', COMPANY_NAME: 'Sea & Glass', OWNER_EMAIL: 'owner@condo.example' },
  })
  const row = await app.deps.write(tx => {
    enqueueMail(tx, app.deps.clock.now().toISOString(), mail)
    return tx.select().from(outbox).get()
  })
  if (!row) throw new Error('no row')
  return composeMail(app.deps, sourcesOf(facts), row)
}

test.each(hostile)('$kind: escapes markup, and removes line breaks from headers', async mail => {
  const name = {
    ...receipt,
    firstName: evil,
    applicationNumber: evil,
    transactionId: evil,
    paymentTypeLabel: evil,
  }
  const composed = await compose(mail, { ...name, cardBrand: evil })
  expect(composed.html).not.toMatch(/<img|<\/style>"|<script/i)
  expect(composed.subject).not.toMatch(/[\r\n]/)
  // The document is complete: no value closed a tag of the layout.
  expect(composed.html.match(/<style/g)).toHaveLength(1)
  expect(composed.html).toMatch(/<\/html>\s*(<!--\/\$-->)?$/)
})

test('a mail that asks for a reply has the owner as Reply-To, unless it sets another address [LOOK-90]', async () => {
  const asking = new Set<string>()
  for (const mail of hostile) {
    const { replyTo, text } = await compose(mail)
    const asks = /reply/i.test(text)
    if (asks) asking.add(mail.kind)
    expect([mail.kind, replyTo]).toEqual([mail.kind, asks ? 'owner@condo.example' : null])
  }
  expect([...asking]).toEqual(expect.arrayContaining(['payment-reminder', 'bank-payment-failed', 'offer']))
  const [first] = hostile
  if (first) expect((await compose({ ...first, replyTo: 'a@guest.example' })).replyTo).toBe('a@guest.example')
})

test('a way in leads to any page behind the login, and leaves links with a token of their own [OWN-12]', async () => {
  const app = await testApp({ env: { ORIGIN: 'https://condo.example' } })
  const site = { ...currentSite(app.deps), origin: 'https://condo.example', sentAt: receipt.paidAt }
  const link = (path: string) => createElement('a', { key: path, href: `${site.origin}/${path}` })
  const body = ['application/1#sign', 'messages/1', 'payment', 'review/1', 'review#own', 'stay#own'].map(link)
  const wayIn = async () => ({ token: 'in', expiresAt: receipt.paidAt })
  const { html } = await renderMail(site, { subject: 'Hello', preview: 'Hello', body }, wayIn)
  const to = [...html.matchAll(/<a href="https:\/\/condo.example\/([^"]*)"><\/a>/g)].map(([, path]) => path)
  expect(to).toEqual([
    'invitation#in/application/1',
    'invitation#in/messages/1',
    'invitation#in/payment',
    'invitation#in/review/1',
    'review#own',
    'stay#own',
  ])
})

test('the mail about an added factor warns that a new password does not remove the factor [SAFE-10]', async () => {
  for (const change of factorChanges) {
    const props = { change, label: 'Key', isOn: true, at: receipt.paidAt, browser: null, address: null }
    const { text } = await compose({ ...address, kind: 'factor-changed', props })
    const isSaid = text.replaceAll(/\s+/g, ' ').includes('A new password does not remove what was added.')
    expect(isSaid, change).toBe(change.endsWith('-added'))
  }
})

test('the reset mail contains recipient, name, link, company, property address and date [MAIL-01]', async () => {
  const { html, text, subject } = await compose({
    ...address,
    kind: 'password-reset',
    props: {
      email: 'maya@guest.example',
      displayName: 'maya',
      linkId: 'link-1',
    },
  })
  expect(subject).toBe('Choose a new Sea & Glass password')
  for (const part of [
    'maya@guest.example',
    'Hello maya,',
    'https://condo.example/reset-password?token=token',
    'Sea & Glass',
    '120 Ocean Walk',
    'Mar 4, 2026, 12:00 PM EST',
  ])
    expect(text).toContain(part)
  expect(html).toContain('href="https://condo.example/reset-password?token=token"')
})

test('the reset mail says that the password stays unchanged only when it does [SAFE-22, SAFE-28]', async () => {
  const props = { email: 'maya@guest.example', displayName: 'maya', linkId: 'link-1' }
  const textOf = async (isPasswordGone: boolean) =>
    (await compose({ ...address, kind: 'password-reset', props: { ...props, isPasswordGone } })).text
  const stays = 'your password stays as it is'
  expect(await textOf(false)).toContain(stays)
  const gone = await textOf(true)
  expect(gone).not.toContain(stays)
  expect(gone).toContain('The former password of maya@guest.example no longer works.')
})

test('the contact mail contains name, email, phone, subject, message, recipient and date [MAIL-03]', async () => {
  const { text, subject, replyTo } = await compose({
    to: 'owner@condo.example',
    replyTo: 'jonas@guest.example',
    dedupeKey: 'contact:1',
    kind: 'contact-message',
    props: {
      from_name: 'Jonas Åström',
      from_email: 'jonas@guest.example',
      phone: 'Not provided',
      subject: 'May?',
      message: 'Is it free\nin May?',
      recipient: 'owner@condo.example',
      sent_date: '2026-03-04T17:00:00.000Z',
    },
  })
  expect(subject).toBe('May? (from Jonas Åström)')
  expect(replyTo).toBe('jonas@guest.example')
  for (const part of [
    'Jonas Åström',
    'jonas@guest.example',
    'Not provided',
    'May?',
    'Is it free\nin May?',
    'owner@condo.example',
    'Mar 4, 2026, 12:00 PM EST',
  ])
    expect(text).toContain(part)
})

test('the receipt contains email, amount, fee, total, type, date, transaction, card and sending date [MAIL-04]', async () => {
  const { text, subject, attachments } = await compose({
    ...address,
    kind: 'payment-receipt',
    props: { paymentId: 'p' },
  })
  expect(subject).toBe('Your receipt for $2,575.00')
  for (const row of [
    /Payment type\s+Rent/,
    /Date\s+Mar 3, 2026, 10:00 PM EST/,
    /Transaction\s+ZvKYlo2C\s/,
    /Card\s+Visa ending in 4242/,
    /Amount\s+\$2,500\.00/,
    /Card fee\s+\$75\.00/,
    /Total charged\s+\$2,575\.00/,
    /Sent to maya@guest\.example on Mar 4, 2026, 12:00 PM EST/,
  ])
    expect(text).toMatch(row)
  expect(attachments.map(({ filename }) => filename)).toEqual(['receipt.pdf'])
})

test('the mail about a withdrawn application names the money that it holds [FIX-01]', async () => {
  const mail = { ...address, kind: 'owner-withdrawn', props: forOwner } as const
  const { text } = await compose({ ...mail, props: { ...forOwner, paidCents: 500_00 } })
  expect(text).toMatch(/Paid\s+\$500\.00/)
  expect(text).toContain('This money was not returned.')
  expect((await compose(mail)).text).not.toContain('This money')
})

test('a receipt sent again says what was refunded since, as its PDF does [MAIL-04]', async () => {
  const mail = { ...address, kind: 'payment-receipt', props: { paymentId: 'p' } } as const
  const refunded = { ...receipt, refundedCents: 256_500 }
  expect((await compose(mail, refunded)).text).toMatch(/Refunded since\s+−\$2,565\.00/)
  expect((await compose(mail, { ...refunded, isDisputed: true })).text).toMatch(/Refunded or disputed since/)
  expect((await compose(mail)).text).not.toContain('Refunded')
})

test('a receipt without a card or fee omits those lines', async () => {
  const cash = { ...receipt, feeCents: 0, totalCents: 250_000, cardBrand: '', cardLast4: '' }
  const { text } = await compose({ ...address, kind: 'payment-receipt', props: { paymentId: 'p' } }, cash)
  expect(text).not.toMatch(/Card|ending in/)
})

test('every link in a mail starts with the configured origin or is a mailto link [MAIL-02]', async () => {
  for (const mail of hostile) {
    const { html } = await compose(mail)
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link, mail.kind).toMatch(/^(https:\/\/condo\.example|mailto:)/)
  }
})

test('mails load nothing from another server: no images, fonts or stylesheets', async () => {
  for (const mail of hostile) {
    const { html } = await compose(mail)
    expect(html, mail.kind).not.toMatch(/\bsrc=(?!x)|url\(|@import|<link\s/i)
  }
})
