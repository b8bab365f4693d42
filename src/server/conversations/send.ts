import { randomUUID } from 'node:crypto'
import { and, count, eq, gt, isNull, lte, max } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { files, messageFiles, messages, messageThreads } from '../../../db/schema.ts'
import type { Admin, Guest, SignedIn, Tenant } from '../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import {
  type MessageForm,
  maxAnswersByLink,
  messageTexts,
  type noteForm,
  unsentFileMs,
} from '../../domain/conversations/message.ts'
import { leftPlaceholder } from '../../domain/conversations/quick-reply.ts'
import { maxUploadBytes } from '../../domain/leases/lease.ts'
import { type AccessLink, findLink, markLinkUsed } from '../auth/sessions/access-links.ts'
import { getSubmittedApplication, type OwnApplication } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { markFileRemoved, storeFile, streamStoredFile } from '../kernel/files/stored-file.ts'
import { checkScan } from '../leases/scan.ts'
import { currentSite } from '../site/content/published.ts'
import {
  closedSentence,
  isOn,
  type MessageRow,
  readThread,
  sideOf,
  stateOf,
  viewMessages,
} from './threads.ts'
import type { MessageFileView, MessageView, ThreadView } from './views.ts'

/** Who writes; with the link that opened the page without a login. */
export type Sender = { actor: SignedIn; applicationId: string; link?: AccessLink }

const requireOn = (db: Db) => {
  if (!isOn(db)) throw new AppError('conflict', messageTexts.off)
}

/** The thread that this person may write to now. @throws AppError conflict while off or closed; not_found */
function requireWritable(deps: Deps, db: Db, { actor, applicationId }: Sender): OwnApplication {
  requireOn(db)
  const record = getSubmittedApplication(db, actor, applicationId)
  const closed = closedSentence(deps, db, record.application)
  if (closed) throw new AppError('conflict', closed)
  return record
}

/**
 * Sends a message; the same request again is the same message.
 * @throws AppError bad_request; conflict; not_found; too_many
 */
export async function sendMessage(deps: Deps, sender: Sender, form: MessageForm) {
  const { actor, applicationId, link } = sender
  requireOn(deps.db)
  getSubmittedApplication(deps.db, actor, applicationId)
  const side = sideOf(actor)
  if (!messageOf(deps.db, sender, form.requestId)) await consumeLimits(deps, sender)
  return deps.write(tx => {
    const known = messageOf(tx, sender, form.requestId)
    if (known) return sent(tx, actor, known)
    requireWritable(deps, tx, sender)
    const left = side === 'owner' ? leftPlaceholder(form.body) : undefined
    if (left) throw fieldError('body', messageTexts.fillIn(left))
    const at = nowIso(deps)
    if (link) countAnswer(tx, at, link)
    const { body, fileIds, requestId } = form
    const via = link ? 'link' : 'site'
    const row = insertMessage(tx, { at, actor, applicationId, side, via, body, requestId, linkId: link?.id })
    attachFiles(deps, tx, row, fileIds)
    return sent(tx, actor, row)
  })
}

const sent = (tx: Tx, actor: SignedIn, row: MessageRow) => {
  const [message] = viewMessages(tx, [row])
  return { message: message as MessageView, unread: stateOf(tx, sideOf(actor), row.applicationId).unread }
}

async function consumeLimits({ limits }: Deps, { actor, applicationId }: Sender): Promise<void> {
  if (actor.role === 'admin') return limits.consume('messageByAdmin', actor.userId)
  await limits.consume('messageByThread', applicationId)
  await limits.consume('messageByThreadAndDay', applicationId)
}

function messageOf(db: Db, { actor, applicationId }: Sender, requestId: string): MessageRow | undefined {
  const found = db
    .select()
    .from(messages)
    .where(and(eq(messages.applicationId, applicationId), eq(messages.requestId, requestId)))
    .get()
  if (found && found.side !== sideOf(actor)) throw fieldError('requestId', 'Please send another requestId')
  return found
}

/** Counts an answer by a link. @throws AppError conflict above the limit (MSG-12) */
function countAnswer(tx: Tx, at: string, { id }: AccessLink): void {
  const answers = tx.select({ sent: count() }).from(messages).where(eq(messages.linkId, id)).get()?.sent ?? 0
  if (answers >= maxAnswersByLink) throw new AppError('conflict', messageTexts.linkUsedUp)
  markLinkUsed(tx, at, id)
}

type NewMessage = Pick<MessageRow, 'applicationId' | 'side' | 'via' | 'body' | 'requestId'> & {
  at: string
  actor: SignedIn
  linkId?: string | undefined
  saidAt?: string | undefined
}

/** Numbers rise in the order of storing, whatever the clock does (MSG-03). */
function insertMessage(tx: Tx, { actor, at, linkId, saidAt, ...message }: NewMessage): MessageRow {
  const { applicationId } = message
  const number = lastNumber(tx, applicationId) + 1
  tx.insert(messageThreads).values({ applicationId }).onConflictDoNothing().run()
  return tx
    .insert(messages)
    .values({ ...message, number, id: randomUUID(), authorId: actor.userId, createdAt: at, linkId, saidAt })
    .returning()
    .get()
}

const lastNumber = (db: Db, applicationId: string): number =>
  db
    .select({ last: max(messages.number) })
    .from(messages)
    .where(eq(messages.applicationId, applicationId))
    .get()?.last ?? 0

/** Each file goes into one message of its uploader in this thread. @throws AppError bad_request (MSG-04) */
function attachFiles(deps: Deps, tx: Tx, row: MessageRow, fileIds: readonly string[]): void {
  for (const [position, fileId] of fileIds.entries()) {
    const isOwn = and(
      eq(messageFiles.fileId, fileId),
      eq(messageFiles.applicationId, row.applicationId),
      eq(messageFiles.uploadedBy, row.authorId),
      isNull(messageFiles.number),
      gt(messageFiles.createdAt, unsentSince(deps)),
    )
    const { number } = row
    const { changes } = tx.update(messageFiles).set({ number, position }).where(isOwn).run()
    if (changes === 0) throw fieldError('fileIds', messageTexts.wrongFiles)
  }
}

const unsentSince = ({ clock }: Deps) => new Date(clock.now().getTime() - unsentFileMs).toISOString()

/** Notes what came by mail or phone as the tenant's; mails nobody (MSG-11). @throws AppError bad_request, conflict, not_found */
export async function noteMessage(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { at: saidAt, body, requestId, waiting }: z.output<typeof noteForm>,
): Promise<MessageView> {
  if (saidAt && Date.parse(saidAt) > deps.clock.now().getTime()) throw fieldError('at', messageTexts.notYet)
  await deps.limits.consume('messageByAdmin', actor.userId)
  return deps.write(tx => {
    requireOn(tx)
    getSubmittedApplication(tx, actor, applicationId)
    const known = tx
      .select()
      .from(messages)
      .where(and(eq(messages.applicationId, applicationId), eq(messages.requestId, requestId)))
      .get()
    if (known) return sent(tx, actor, known).message
    const at = nowIso(deps)
    const note = { side: 'tenant', via: 'noted', body, requestId, saidAt: saidAt ?? at } as const
    const row = insertMessage(tx, { at, actor, applicationId, ...note })
    if (!waiting) setThread(tx, applicationId, { answered: row.number })
    return sent(tx, actor, row).message
  })
}

const setThread = (tx: Tx, applicationId: string, values: Partial<typeof messageThreads.$inferInsert>) =>
  tx.update(messageThreads).set(values).where(eq(messageThreads.applicationId, applicationId)).run()

/**
 * Marks a thread as read up to a message, never back; `unread` marks it as unread from that message on (MSG-05).
 * A message that is not there changes nothing. @throws AppError conflict, not_found
 */
export function markRead(
  deps: Deps,
  actor: SignedIn,
  { applicationId, number, unread = false }: { applicationId: string; number: number; unread?: boolean },
): Promise<{ unread: number }> {
  return deps.write(tx => {
    requireOn(tx)
    getSubmittedApplication(tx, actor, applicationId)
    const side = sideOf(actor)
    const { lastRead } = stateOf(tx, side, applicationId)
    const isThere = number >= 1 && number <= lastNumber(tx, applicationId)
    const mark = unread ? number - 1 : Math.max(lastRead, number)
    if (isThere && mark !== lastRead)
      setThread(tx, applicationId, side === 'owner' ? { ownerRead: mark } : { tenantRead: mark })
    return { unread: stateOf(tx, side, applicationId).unread }
  })
}

/** Ends the waiting without an answer (MSG-06). @throws AppError conflict for a later message of the tenant; not_found */
export async function markAnswered(
  deps: Deps,
  actor: Admin,
  { applicationId, number }: { applicationId: string; number: number },
): Promise<ThreadView | null> {
  await deps.write(tx => {
    requireOn(tx)
    getSubmittedApplication(tx, actor, applicationId)
    const isLater = and(
      eq(messages.applicationId, applicationId),
      eq(messages.side, 'tenant'),
      gt(messages.number, number),
    )
    if (tx.select({ number: messages.number }).from(messages).where(isLater).limit(1).get())
      throw new AppError('conflict', messageTexts.newMeanwhile)
    if (!stateOf(tx, 'owner', applicationId).waiting) return
    setThread(tx, applicationId, { answered: lastNumber(tx, applicationId) })
    recordEvent(tx, nowIso(deps), actor, 'message.answered', applicationId, { number })
  })
  return readThread(deps, actor, { applicationId })
}

/** Whether a file may come; called before it is read. @throws AppError conflict, not_found, too_many */
export async function requireReceivable(deps: Deps, sender: Sender): Promise<void> {
  requireWritable(deps, deps.db, sender)
  await deps.limits.consume('uploadByUser', sender.actor.userId)
}

/** Stores a file for a message, and sets aside those that went into none (MSG-04). @throws AppError for the file */
export async function storeMessageFile(
  deps: Deps,
  sender: Sender,
  { content, name }: { content: Buffer; name: string },
): Promise<MessageFileView> {
  if (content.length === 0) throw new AppError('bad_request', messageTexts.fileMissing)
  if (content.length > maxUploadBytes) throw new AppError('too_large', messageTexts.fileTooLarge)
  const checked = await checkScan(content, name, { wrongType: messageTexts.fileTypeWrong, fallback: 'file' })
  return storeFile(deps, 'message-file', checked, (tx, file) => {
    const { actor, applicationId } = sender
    requireWritable(deps, tx, sender)
    const unsent = and(isNull(messageFiles.number), lte(messageFiles.createdAt, unsentSince(deps)))
    const old = tx.delete(messageFiles).where(unsent).returning({ id: messageFiles.fileId }).all()
    for (const { id } of old) markFileRemoved(tx, file.createdAt, id)
    tx.insert(messageFiles)
      .values({ fileId: file.id, applicationId, uploadedBy: actor.userId, createdAt: file.createdAt })
      .run()
    const { contentType, id, originalName, sizeBytes } = file
    return { id, name: originalName, contentType, sizeBytes }
  })
}

/** A file of a message, or one that the caller has uploaded for the next. @throws AppError not_found */
export async function readMessageFile(deps: Deps, actor: SignedIn, fileId: string) {
  const found = deps.db
    .select({ file: files, of: messageFiles })
    .from(messageFiles)
    .innerJoin(files, eq(files.id, messageFiles.fileId))
    .where(eq(messageFiles.fileId, fileId))
    .get()
  if (!found || (found.of.number === null && found.of.uploadedBy !== actor.userId))
    throw new AppError('not_found', 'File not found')
  getSubmittedApplication(deps.db, actor, found.of.applicationId)
  const { file } = found
  return {
    content: await streamStoredFile(deps, file),
    contentType: file.contentType,
    fileName: file.originalName,
  }
}

export const deadLink = () => new AppError('not_found', messageTexts.deadLink)

/** What a reply link gives access to: the other side's messages of one mail. */
export const linkSubject = (applicationId: string, after: number, upTo: number) =>
  `${applicationId}:${after}:${upTo}`

/** The tenant that a reply link speaks for. @throws AppError not_found, the same for every link that opens nothing */
export function openLink(deps: Deps, { requestOrigin }: Guest | SignedIn, token: string) {
  const link = isOn(deps.db) ? findLink(deps.db, nowIso(deps), 'message_reply', token) : undefined
  if (!link) throw deadLink()
  const [applicationId = '', after, upTo] = link.subjectId.split(':')
  const actor: Tenant = { role: 'tenant', userId: link.personId, requestOrigin }
  try {
    const { application } = getSubmittedApplication(deps.db, actor, applicationId)
    const sender = { actor, applicationId, link } satisfies Sender
    return { sender, application, after: Number(after), upTo: Number(upTo) }
  } catch {
    throw deadLink()
  }
}

/** What a reply link shows: the messages of its mail alone (MSG-12). Changes nothing. @throws AppError not_found */
export function readByLink(deps: Deps, guest: Guest | SignedIn, token: string) {
  const { after, application, upTo } = openLink(deps, guest, token)
  const rows = deps.db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.applicationId, application.id),
        eq(messages.side, 'owner'),
        gt(messages.number, after),
        lte(messages.number, upTo),
      ),
    )
    .all()
  return {
    messages: viewMessages(deps.db, rows).map(({ files, ...message }) => ({
      ...message,
      fileCount: files.length,
    })),
    applicationNumber: application.number,
    propertyName: currentSite(deps).propertyName,
    firstName: application.firstName,
    canWrite: closedSentence(deps, deps.db, application) === null,
  }
}
