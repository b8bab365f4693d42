import { render, toPlainText } from '@react-email/components'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type outbox, users } from '../../../db/schema.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import type { MailWording } from '../../domain/content/mail-wording.ts'
import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import type { MailWordingKind } from '../../domain/content/wording.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { currentSite } from '../site/content/published.ts'
import type { MailContent, MailContext, MailSite, MailSources, SecretContext } from './define-mail.ts'
import { MailLayout } from './layout.tsx'
import { sampleContent } from './mails/customizable.tsx'
import * as mailFiles from './mails.ts'

const mails = Object.values(mailFiles).flat()

/** Scheduled mails: none is sent while the clock is known to be wrong. */
export const scheduledKinds: string[] = mails.filter(mail => mail.isScheduled).map(({ kind }) => kind)

/** Whether mails of this kind have a link or a code; true for an unknown kind. */
export const isSecret = (kind: string): boolean => {
  const mail = mails.find(mail => mail.kind === kind)
  return mail === undefined || mail.isSecret === true
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
  const definition = mails.find(({ kind }) => kind === row.kind)
  if (!definition) throw new MailRejectedError(`There is no mail of the kind ${row.kind}.`)
  const site = mailSite(deps)
  const hidesName = belongsToStranger(deps, row.toAddress)
  const named: MailContext['named'] = facts =>
    hidesName && 'firstName' in facts ? { ...facts, firstName: '' } : facts
  const renderProps = definition.render as (props: object, context: SecretContext) => Promise<MailContent>
  const mail = await renderProps(named(row.props), { deps, site, sources, named })
  return {
    messageId: `<${row.id}@${new URL(deps.config.origin).hostname}>`,
    to: row.toAddress,
    replyTo: row.replyTo,
    ...(await renderMail(site, mail)),
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

/** The site's current details for mails. */
function mailSite(deps: Deps): MailSite {
  return { ...currentSite(deps), origin: deps.config.origin, sentAt: nowIso(deps) }
}

/** Renders a mail with sample data in this wording, as it would be sent now. */
export function renderSample(deps: Deps, kind: MailWordingKind, words: MailWording) {
  const site = mailSite(deps)
  return renderMail(site, sampleContent(kind, words, site))
}

/** Subject, HTML and plain text of a mail. */
export async function renderMail(site: MailSite, { body, preview, subject, title = subject }: MailContent) {
  const html = await render(MailLayout({ site, preview, title, children: body }))
  // Rendering the first mail takes a while.
  await yieldToEventLoop()
  const text = toPlainText(html, {
    selectors: [{ selector: 'table.facts', format: 'dataTable', options: { uppercaseHeaderCells: false } }],
  })
  return { subject: oneLine(subject), html, text }
}

/** Keeps a line break in a name or subject from starting another header. */
const oneLine = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 250)
