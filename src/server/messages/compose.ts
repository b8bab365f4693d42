import { render, toPlainText } from '@react-email/components'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { files, type outbox, users } from '../../../db/schema.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import { type MailWording, shippedMailWordings } from '../../domain/content/mail-wording.ts'
import type { MailAttachment, OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import type { MailWordingKind } from '../../domain/content/wording.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { readStoredFile } from '../kernel/files/stored-file.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { currentSite } from '../site/content/current-site.ts'
import { usableWording } from '../site/content/wordings.ts'
import { type MailKind, type MailKinds, MailObsoleteError } from './outbox.ts'
import { type ApplicationMailKind, applicationMail } from './templates/application.tsx'
import { bankFailedMail, bankProcessingMail, bankReturnedMail } from './templates/bank-payment.tsx'
import { bookingEnteredMail, invitationMail } from './templates/booking-entered.tsx'
import { doubleBookingMail, feedFailingMail } from './templates/calendars.tsx'
import { chargeAddedMail } from './templates/charge-added.tsx'
import { contactMessageMail } from './templates/contact-message.tsx'
import { type Danger, dangersMail } from './templates/dangers.tsx'
import { emailChangedMail, emailChangeLinkMail, emailChangeTakenMail } from './templates/email-change.tsx'
import { factorChangedMail, mailboxCodeMail, recoveryCodeUsedMail } from './templates/factors.tsx'
import type { MailContent, MailLink, MailSite } from './templates/layout.tsx'
import { leaseSignedCopyMail } from './templates/lease-signed-copy.tsx'
import { newLoginMail } from './templates/new-login.tsx'
import { ownerApplicationMail, ownerDisputeMail, ownerPaymentMail } from './templates/owner.tsx'
import { passwordResetMail } from './templates/password-reset.tsx'
import { paymentReceiptMail, type ReceiptFacts } from './templates/payment-receipt.tsx'
import { paymentReminderMail, type ReminderMailFacts } from './templates/payment-reminder.tsx'
import { planChangedMail } from './templates/plan-changed.tsx'
import { sampleMail } from './templates/sample.tsx'
import { contentUnreadableMail, wordsChangedMail } from './templates/site.tsx'
import { testMail } from './templates/test-mail.tsx'

/** Mail content that only other features can provide, loaded when the mail is sent. */
export type MailSources = {
  /** Undefined once the payment was removed or returned. */
  receipt: (deps: Deps, paymentId: string) => Promise<{ facts: ReceiptFacts; pdf: Uint8Array } | undefined>
  /** Undefined when the code is over. */
  mailboxCode: (deps: Deps, challengeId: string) => string | undefined
  /** Undefined when the reminder no longer applies. */
  reminder: (deps: Deps, props: MailKinds['payment-reminder']) => ReminderMailFacts | undefined
  /** Makes a token for the mail that is about to be sent; undefined when the link has ended. */
  token: (deps: Deps, linkId: string) => Promise<{ token: string; expiresAt: string } | undefined>
  /** Only dangers that are still on the notice board; none if a newer mail lists them. */
  dangers: (deps: Deps, props: MailKinds['owner-dangers']) => Danger[]
}
type Composed = MailContent & { attachments?: MailAttachment[] }
type ComposeContext = { deps: Deps; sources: MailSources; hidesName: boolean }
type Composer<Props> = (props: Props, site: MailSite, context: ComposeContext) => Composed | Promise<Composed>
type Composers = { [Kind in MailKind]: Composer<MailKinds[Kind]> }

const composers: Composers = {
  'password-reset': async (props, site, context) => {
    const { expiresAt, url } = await newLink(context, '/reset-password?token=', props.linkId)
    return passwordResetMail(props, { url, expiresAt }, site)
  },
  invitation: async (props, site, context) =>
    invitationMail(props, await newLink(context, '/invitation#', props.linkId), site),
  'email-change-link': async (props, site, context) =>
    emailChangeLinkMail(props, await newLink(context, '/email-change#', props.linkId), site),
  'email-change-taken': emailChangeTakenMail,
  'email-changed': async (props, site, context) => {
    const { undoLinkId } = props
    const undo = undoLinkId === null ? null : await newLink(context, '/email-undo#', undoLinkId)
    return emailChangedMail(props, undo, site)
  },
  'booking-entered': bookingEnteredMail,
  'factor-changed': factorChangedMail,
  'mailbox-code': (props, site, { deps, sources }) => {
    const code = sources.mailboxCode(deps, props.challengeId)
    if (code === undefined) throw new MailObsoleteError()
    return mailboxCodeMail({ ...props, code }, site)
  },
  'recovery-code-used': recoveryCodeUsedMail,
  'application-received': aboutApplication('application-received'),
  'application-approved': aboutApplication('application-approved'),
  'application-declined': aboutApplication('application-declined'),
  'lease-ready': aboutApplication('lease-ready'),
  'booking-complete': aboutApplication('booking-complete'),
  'owner-new-application': (props, site) => ownerApplicationMail('owner-new-application', props, site),
  'owner-withdrawn': (props, site) => ownerApplicationMail('owner-withdrawn', props, site),
  'owner-payment-received': ownerPaymentMail,
  'owner-payment-disputed': ownerDisputeMail,
  'bank-payment-on-its-way': bankProcessingMail,
  'bank-payment-failed': bankFailedMail,
  'bank-payment-returned': bankReturnedMail,
  'lease-signed-copy': async (props, site, { deps }) => ({
    ...leaseSignedCopyMail(props, site, mailWords(deps, 'lease-signed-copy')),
    attachments: [await storedFile(deps, props.fileId, `lease-${props.applicationNumber}`)],
  }),
  'payment-receipt': async ({ paymentId }, site, { deps, hidesName, sources }) => {
    const receipt = await sources.receipt(deps, paymentId)
    if (!receipt) throw new MailObsoleteError()
    const { pdf } = receipt
    const facts = hidesName ? { ...receipt.facts, firstName: '' } : receipt.facts
    const attachment = { filename: 'receipt.pdf', contentType: 'application/pdf', content: pdf }
    const words = mailWords(deps, 'payment-receipt')
    return { ...paymentReceiptMail(facts, site, words), attachments: [attachment] }
  },
  'charge-added': chargeAddedMail,
  'plan-changed': planChangedMail,
  'owner-double-booking': doubleBookingMail,
  'owner-feed-failing': feedFailingMail,
  'owner-contact-changed': wordsChangedMail,
  'owner-words-unreadable': contentUnreadableMail,
  'payment-reminder': (props, site, { deps, hidesName, sources }) => {
    const facts = sources.reminder(deps, props)
    if (!facts) throw new MailObsoleteError()
    return paymentReminderMail(hidesName ? { ...facts, firstName: '' } : facts, site)
  },
  'owner-dangers': (props, site, { deps, sources }) => {
    const dangers = sources.dangers(deps, props)
    if (dangers.length === 0) throw new MailObsoleteError()
    return dangersMail(dangers, site)
  },
  'contact-message': contactMessageMail,
  'new-login': async (props, site, context) =>
    newLoginMail(props, await newLink(context, '/not-me#', props.linkId), site),
  'test-mail': (_props, site) => testMail(site),
  'wording-sample': ({ kind, words }, site) => sampleMail(kind, words, site),
}

function aboutApplication<Kind extends ApplicationMailKind>(kind: Kind): Composers[Kind] {
  return (props: MailKinds[Kind], site: MailSite, { deps }: ComposeContext) =>
    applicationMail(kind, props, site, mailWords(deps, kind))
}

/**
 * Composes the mail of an outbox row with the current data and attachments.
 * @throws MailRejectedError for a kind or file that does not exist; FileDamagedError; MailObsoleteError
 */
export async function composeMail(
  deps: Deps,
  sources: MailSources,
  row: typeof outbox.$inferSelect,
): Promise<OutgoingMail> {
  if (!isMailKind(row.kind)) throw new MailRejectedError(`There is no mail of the kind ${row.kind}.`)
  const compose = composers[row.kind] as Composer<typeof row.props>
  const hidesName = belongsToStranger(deps, row.toAddress)
  const props = hidesName && 'firstName' in row.props ? { ...row.props, firstName: '' } : row.props
  const mail = await compose(props, mailSite(deps), { deps, sources, hidesName })
  return {
    messageId: `<${row.id}@${new URL(deps.config.origin).hostname}>`,
    to: row.toAddress,
    replyTo: row.replyTo,
    ...(await renderMail(mail)),
    attachments: mail.attachments ?? [],
  }
}

/**
 * Whether somebody registered this address without proving that it is theirs: the names that they typed are not mailed
 * to its owner (FIX-27).
 */
function belongsToStranger({ db }: Pick<Deps, 'db'>, address: string): boolean {
  const isRegistered = and(isNotNull(users.passwordHash), isNull(users.mailboxProvenAt))
  const where = and(eq(users.emailKey, emailKey(address)), isRegistered)
  return db.select({ id: users.id }).from(users).where(where).get() !== undefined
}

/** The site's current details for the mail templates. */
function mailSite(deps: Deps): MailSite {
  return { ...currentSite(deps), origin: deps.config.origin, sentAt: nowIso(deps) }
}

/** Renders a mail with sample data in this wording, as it would be sent now. */
export function renderSample(deps: Deps, kind: MailWordingKind, words: MailWording) {
  return renderMail(sampleMail(kind, words, mailSite(deps)))
}

async function renderMail({ body, subject }: MailContent) {
  const html = await render(body)
  // Rendering the first mail takes a while.
  await yieldToEventLoop()
  const text = toPlainText(html, {
    selectors: [{ selector: 'table.facts', format: 'dataTable', options: { uppercaseHeaderCells: false } }],
  })
  return { subject: oneLine(subject), html, text }
}

/** The current wording of a mail; the shipped wording if the saved one cannot be used (LTEXT-09). */
function mailWords({ db, log }: Deps, kind: MailWordingKind): MailWording {
  const { body, fault, version } = usableWording(db, kind)
  if (body) return body
  log.warn(
    { kind, version, fault },
    'a saved mail wording cannot be used; the mail is sent in the shipped wording',
  )
  return shippedMailWordings[kind]
}

/** The link with a new token. @throws MailObsoleteError when the link has ended */
async function newLink({ deps, sources }: ComposeContext, page: string, linkId: string): Promise<MailLink> {
  const issued = await sources.token(deps, linkId)
  if (!issued) throw new MailObsoleteError()
  return { url: `${deps.config.origin}${page}${issued.token}`, expiresAt: issued.expiresAt }
}

const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(composers, kind)

/** Keeps a line break in a name or subject from starting another header. */
const oneLine = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 250)

/** Gives the attachment a name of our own: the uploaded file name is not passed on. */
async function storedFile(deps: Deps, fileId: string, name: string): Promise<MailAttachment> {
  const file = deps.db.select().from(files).where(eq(files.id, fileId)).get()
  if (!file) throw new MailRejectedError('The file to be attached does not exist.')
  const ending = fileEndings[file.contentType]
  return {
    filename: ending ? `${name}.${ending}` : name,
    contentType: file.contentType,
    content: await readStoredFile(deps, file),
  }
}

const fileEndings: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}
