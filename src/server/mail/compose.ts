import { render, toPlainText } from '@react-email/components'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { createElement, Fragment } from 'react'
import { type outbox, users } from '../../../db/schema.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import { formatMomentDate } from '../../domain/common/dates.ts'
import type { MailWording } from '../../domain/content/mail-wording.ts'
import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import type { MailWordingKind } from '../../domain/content/wording.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { currentSite } from '../site/content/published.ts'
import type { MailContent, MailSite, MailSources, SecretContext } from './define-mail.ts'
import { MailLayout, WayInHint } from './layout.tsx'
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
 * Composes the mail of an outbox row with the current data and attachments. A reply that it asks for goes to the owner,
 * unless the row names another address.
 * @throws MailRejectedError for a kind or file that does not exist; FileDamagedError; MailObsoleteError
 */
export async function composeMail(
  deps: Deps,
  sources: Partial<MailSources>,
  row: MailOf & Pick<typeof outbox.$inferSelect, 'id' | 'replyTo'>,
): Promise<OutgoingMail & { words: string; hasWayIn: boolean }> {
  const { attachments = [], ...mail } = await contentOf(deps, row, sources)
  const { applicationId } = row.props
  const site = mailSite(deps)
  const wayIn = () =>
    typeof applicationId === 'string'
      ? sources.wayIn?.(deps, { applicationId, to: row.toAddress })
      : undefined
  const rendered = await renderMail(site, mail, wayIn)
  // Nobody may read the mailbox that mails are sent from.
  const asked = /reply to this email/i.test(rendered.text) && site.ownerEmail
  return {
    messageId: `<${row.id}@${new URL(deps.config.origin).hostname}>`,
    to: row.toAddress,
    replyTo: row.replyTo ?? (asked || null),
    ...rendered,
    attachments,
  }
}

type MailOf = { kind: string; props: Record<string, unknown>; toAddress: string }

/** Subject and words of a mail as it would be sent now, with the sources that its kind needs. */
export async function previewMail(
  deps: Deps,
  mail: MailOf,
  sources: Partial<MailSources> = {},
): Promise<{ subject: string; words: string }> {
  const { subject, words } = await renderMail(mailSite(deps), await contentOf(deps, mail, sources))
  return { subject, words }
}

/** @throws MailRejectedError for a kind that does not exist */
async function contentOf(
  deps: Deps,
  { kind, props, toAddress }: MailOf,
  sources: Partial<MailSources>,
): Promise<MailContent> {
  const definition = mails.find(mail => mail.kind === kind)
  if (!definition) throw new MailRejectedError(`There is no mail of the kind ${kind}.`)
  const hidesName = belongsToStranger(deps, toAddress)
  const named = <Facts extends object>(facts: Facts): Facts =>
    hidesName && 'firstName' in facts ? { ...facts, firstName: '' } : facts
  const render = definition.render as (props: object, context: SecretContext) => Promise<MailContent>
  const context = { deps, to: toAddress, site: mailSite(deps), sources: sources as MailSources, named }
  return render(named(props), context)
}

/**
 * Whether somebody registered this address without proving that it is theirs: the names that they typed are not mailed
 * to its owner (FIX-27).
 */
function belongsToStranger({ db }: Deps, address: string): boolean {
  const isRegistered = and(isNotNull(users.passwordHash), isNull(users.mailboxProvenAt))
  const where = and(eq(users.emailKey, emailKey(address)), isRegistered)
  return db.select({ id: users.id }).from(users).where(where).get() !== undefined
}

/** The site's current details for mails. */
function mailSite(deps: Deps): MailSite {
  return { ...currentSite(deps), origin: deps.config.origin, sentAt: nowIso(deps) }
}

/** Renders a mail with sample data in this wording, as it would be sent now. */
export async function renderSample(deps: Deps, kind: MailWordingKind, wording: MailWording) {
  const site = mailSite(deps)
  const { html, subject, text } = await renderMail(site, sampleContent(kind, wording, site))
  return { html, subject, text }
}

/**
 * Subject, HTML and plain text of a mail; `words` is the text without the frame. For a guest who cannot log in, the pages
 * behind the login are reached by `wayIn`, which is not in `words`, because they are kept.
 */
export async function renderMail(
  site: MailSite,
  { body, preview, subject, title = subject }: MailContent,
  wayIn: () => ReturnType<MailSources['wayIn']> | undefined = () => undefined,
) {
  const ownPages = tenantPages(site.origin)
  const words = await render(createElement(Fragment, null, body))
  // Rendering the first mail takes a while.
  await yieldToEventLoop()
  const link = words.search(ownPages) >= 0 ? await wayIn() : undefined
  const hint = link && createElement(WayInHint, { until: formatMomentDate(link.expiresAt, site.timeZone) })
  const children = createElement(Fragment, null, body, hint)
  const framed = await render(MailLayout({ site, preview, title, children }))
  const html = link ? framed.replaceAll(ownPages, `$1/invitation#${link.token}$2"`) : framed
  return {
    subject: oneLine(subject),
    html,
    text: plainText(html),
    words: plainText(words),
    hasWayIn: Boolean(link),
  }
}

/** Matches the links in a mail's HTML that lead to pages behind the login. */
const tenantPages = (origin: string) => {
  const page = '/(?:application|dashboard|messages|payment|review|stay)(?:[/?][^"#]*)?'
  return new RegExp(`(href="${origin.replaceAll('.', '\\.')})(${page})(?:#sign)?"`, 'g')
}

const plainText = (html: string) =>
  toPlainText(html.replaceAll('\u00a0', ' '), {
    selectors: ['table.facts', 'table.amounts'].map(selector => ({
      selector,
      format: 'dataTable',
      options: { uppercaseHeaderCells: false },
    })),
  })

/** Keeps a line break in a name or subject from starting another header. */
const oneLine = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 250)
