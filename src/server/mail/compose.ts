import { render, toPlainText } from '@react-email/components'
import { eq } from 'drizzle-orm'
import { files, type outbox } from '../../../db/schema.ts'
import type { MailAttachment, OutgoingMail } from '../../domain/outgoing-mail.ts'
import { readStoredFile } from '../files/stored-file.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import type { MailKind, MailKinds } from './outbox.ts'
import { applicationMail } from './templates/application.tsx'
import { bookingEnteredMail, invitationMail } from './templates/booking-entered.tsx'
import { doubleBookingMail, feedFailingMail } from './templates/calendars.tsx'
import { chargeAddedMail } from './templates/charge-added.tsx'
import { contactMessageMail } from './templates/contact-message.tsx'
import type { MailContent, MailSite } from './templates/layout.tsx'
import { leaseSignedCopyMail } from './templates/lease-signed-copy.tsx'
import { ownerApplicationMail, ownerDisputeMail, ownerPaymentMail } from './templates/owner.tsx'
import { passwordResetMail } from './templates/password-reset.tsx'
import { paymentReceiptMail, type ReceiptFacts } from './templates/payment-receipt.tsx'
import { contactChangedMail, wordsUnreadableMail } from './templates/site.tsx'
import { testMail } from './templates/test-mail.tsx'

/** What mails say that only another feature knows, asked when the mail leaves. */
export type MailSources = {
  receipt: (deps: Deps, paymentId: string) => Promise<{ facts: ReceiptFacts; pdf: Uint8Array }>
}
type Composed = MailContent & { attachments?: MailAttachment[] }
type Composers = {
  [Kind in MailKind]: (
    props: MailKinds[Kind],
    site: MailSite,
    deps: Deps,
    sources: MailSources,
  ) => Composed | Promise<Composed>
}

const composers: Composers = {
  'password-reset': (props, site) => {
    requireLink(props)
    return passwordResetMail(props, site)
  },
  invitation: (props, site) => {
    requireLink(props)
    return invitationMail(props, site)
  },
  'booking-entered': bookingEnteredMail,
  'application-received': (props, site) => applicationMail('application-received', props, site),
  'application-approved': (props, site) => applicationMail('application-approved', props, site),
  'application-declined': (props, site) => applicationMail('application-declined', props, site),
  'lease-ready': (props, site) => applicationMail('lease-ready', props, site),
  'booking-complete': (props, site) => applicationMail('booking-complete', props, site),
  'owner-new-application': (props, site) => ownerApplicationMail('owner-new-application', props, site),
  'owner-withdrawn': (props, site) => ownerApplicationMail('owner-withdrawn', props, site),
  'owner-payment-received': ownerPaymentMail,
  'owner-payment-disputed': ownerDisputeMail,
  'lease-signed-copy': async (props, site, deps) => ({
    ...leaseSignedCopyMail(props, site),
    attachments: [await storedFile(deps, props.fileId, `lease-${props.applicationNumber}`)],
  }),
  'payment-receipt': async ({ paymentId }, site, deps, sources) => {
    const { facts, pdf } = await sources.receipt(deps, paymentId)
    const attachment = { filename: 'receipt.pdf', contentType: 'application/pdf', content: pdf }
    return { ...paymentReceiptMail(facts, site), attachments: [attachment] }
  },
  'charge-added': chargeAddedMail,
  'owner-double-booking': doubleBookingMail,
  'owner-feed-failing': feedFailingMail,
  'owner-contact-changed': contactChangedMail,
  'owner-words-unreadable': wordsUnreadableMail,
  'contact-message': contactMessageMail,
  'test-mail': (_props, site) => testMail(site),
}

/**
 * The mail of an outbox row, as it leaves: rendered now, its attachments read now.
 * @throws MailRejectedError for a kind or file that does not exist; FileDamaged
 */
export async function composeMail(
  deps: Deps,
  sources: MailSources,
  row: typeof outbox.$inferSelect,
): Promise<OutgoingMail> {
  if (!isMailKind(row.kind)) throw new MailRejectedError(`There is no mail of the kind ${row.kind}.`)
  const compose = composers[row.kind] as (
    props: typeof row.props,
    ...rest: [MailSite, Deps, MailSources]
  ) => Composed | Promise<Composed>
  const { origin, site } = deps.config
  const mail = await compose(row.props, { ...site, origin, sentAt: nowIso(deps) }, deps, sources)
  const html = await render(mail.body)
  return {
    messageId: `<${row.id}@${new URL(origin).hostname}>`,
    to: row.toAddress,
    replyTo: row.replyTo,
    subject: oneLine(mail.subject),
    html,
    text: toPlainText(html, {
      selectors: [{ selector: 'table.facts', format: 'dataTable', options: { uppercaseHeaderCells: false } }],
    }),
    attachments: mail.attachments ?? [],
  }
}

function requireLink({ link }: { link?: string }): void {
  if (!link) throw new MailRejectedError('The link of this mail was blanked; a new one has to be asked for.')
}

const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(composers, kind)

/** A line break in a name or subject must not begin another header. */
const oneLine = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 250)

/** Under a name of our own: the one that somebody uploaded is not passed on. */
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
