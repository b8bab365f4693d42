import { randomUUID } from 'node:crypto'
import { and, count, desc, eq, gt, inArray, isNull, lte, max, notInArray, type SQL, sum } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, files, messageFiles, messages, messageThreads } from '../../../db/schema.ts'
import type { Admin, Guest, SignedIn, Tenant } from '../../domain/accounts/access.ts'
import { bookedStatuses, isBooked } from '../../domain/bookings/application-status.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import {
  maxAnswersByLink,
  maxOfAllUnbooked,
  maxUnbookedBytes,
  maxUnsentFiles,
  messageRefusals,
  unsentFileMs,
} from '../../domain/conversations/message.ts'
import type { MessageForm, noteForm } from '../../domain/conversations/message-form.ts'
import { leftPlaceholder } from '../../domain/conversations/quick-reply.ts'
import { withoutSecrets } from '../arrival/arrival.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { type AccessLink, findLink, markLinkUsed } from '../auth/sessions/access-links.ts'
import { getApplicationRow, getSubmittedApplication } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { deleteFileRows, type FileRow, storeFile, streamStoredFile } from '../kernel/files/stored-file.ts'
import { checkScan } from '../leases/scan.ts'
import { failpoint } from '../lib/failpoint.ts'
import { currentSite } from '../site/content/published.ts'
import {
  closedSentence,
  isOn,
  type MessageRow,
  readThread,
  requireOn,
  sideOf,
  stateOf,
  viewMessages,
} from './threads.ts'
import type { MessageFileView, MessageView, ThreadView } from './views.ts'

/** Who writes; with the link that opened the page without a login. */
export type Sender = { actor: SignedIn; applicationId: string; link?: AccessLink }

/** @throws AppError conflict while off; not_found */
function requireThread(db: Db, { actor, applicationId }: Sender) {
  requireOn(db)
  return getSubmittedApplication(db, actor, applicationId).application
}

/** @throws AppError conflict while off or closed; not_found */
function requireWritable(deps: Deps, db: Db, sender: Sender): void {
  const closed = closedSentence(deps, db, requireThread(db, sender))
  if (closed) throw new AppError('conflict', closed)
}

/**
 * Sends a message; the same request again is the same message.
 * @throws AppError forbidden for the owner without a step-up; bad_request; conflict; not_found; too_many
 */
export async function sendMessage(
  deps: Deps,
  sender: Sender,
  { body, fileIds, requestId }: MessageForm,
): Promise<{ message: MessageView; unread: number }> {
  const { actor, applicationId, link } = sender
  const { limits } = deps
  // Words to a guest can lead money elsewhere, and the mail about them tells whether they have a live code.
  if (actor.role === 'admin') requireStepUp(deps, deps.db, actor)
  const left = actor.role === 'admin' ? leftPlaceholder(body) : undefined
  if (left) throw fieldError('body', `Fill in ${left} first.`)
  const { status } = requireThread(deps.db, sender)
  if (messageOf(deps.db, sender, requestId) === undefined) {
    if (actor.role === 'admin') await limits.consume('messageByAdmin', actor.userId)
    else await limits.consume('messageByThread', applicationId)
    if (actor.role === 'tenant') await limits.consume('messageByThreadAndDay', applicationId)
    if (actor.role === 'tenant' && !isBooked(status))
      await limits.consume('messageByAddress', actor.requestOrigin.address)
  }
  return deps.write(tx => {
    const known = messageOf(tx, sender, requestId)
    if (known) return viewSent(tx, actor, known)
    requireWritable(deps, tx, sender)
    if (link) countAnswer(tx, nowIso(deps), link)
    const via = link ? 'link' : 'site'
    const row = insertMessage(deps, tx, sender, { side: sideOf(actor), via, body, requestId })
    attachFiles(deps, tx, row, fileIds)
    failpoint('in-message-write')
    return viewSent(tx, actor, row)
  })
}

function viewSent(tx: Tx, actor: SignedIn, row: MessageRow) {
  const { unread } = stateOf(tx, sideOf(actor), row.applicationId)
  return { message: viewMessages(tx, [row])[0] as MessageView, unread }
}

/** The message that this request has stored. */
const messageOf = (db: Db, { actor, applicationId }: Sender, requestId: string): MessageRow | undefined =>
  db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.applicationId, applicationId),
        eq(messages.requestId, requestId),
        eq(messages.authorId, actor.userId),
      ),
    )
    .get()

/** @throws AppError conflict above the limit (MSG-12) */
function countAnswer(tx: Tx, at: string, { id }: AccessLink): void {
  const answers = tx.select({ sent: count() }).from(messages).where(eq(messages.linkId, id)).get()?.sent ?? 0
  if (answers >= maxAnswersByLink) throw new AppError('conflict', messageRefusals.linkUsedUp)
  markLinkUsed(tx, at, id)
}

type NewMessage = Pick<MessageRow, 'side' | 'via' | 'body' | 'requestId'> & { saidAt?: string }

/** Numbers rise in the order of storing, whatever the clock does (MSG-03). */
function insertMessage(deps: Deps, tx: Tx, { actor, applicationId, link }: Sender, message: NewMessage) {
  const number = lastNumber(tx, applicationId) + 1
  const by = { id: randomUUID(), authorId: actor.userId, linkId: link?.id, createdAt: nowIso(deps) }
  tx.insert(messageThreads).values({ applicationId }).onConflictDoNothing().run()
  return tx
    .insert(messages)
    .values({ applicationId, number, ...by, ...message })
    .returning()
    .get()
}

const lastNumber = (db: Db, applicationId: string): number =>
  db
    .select({ last: max(messages.number) })
    .from(messages)
    .where(eq(messages.applicationId, applicationId))
    .get()?.last ?? 0

/** Each file goes into one message of its uploader in this thread (MSG-04). @throws AppError bad_request */
function attachFiles(deps: Deps, tx: Tx, row: MessageRow, fileIds: readonly string[]): void {
  for (const [position, fileId] of fileIds.entries()) {
    const isOwn = and(
      eq(messageFiles.fileId, fileId),
      eq(messageFiles.applicationId, row.applicationId),
      eq(messageFiles.uploadedBy, row.authorId),
      isNull(messageFiles.number),
      gt(messageFiles.createdAt, unsentSince(deps)),
    )
    const { changes } = tx.update(messageFiles).set({ number: row.number, position }).where(isOwn).run()
    if (changes === 0) throw fieldError('fileIds', messageRefusals.wrongFiles)
  }
}

const unsentSince = ({ clock }: Deps) => new Date(clock.now().getTime() - unsentFileMs).toISOString()

/**
 * Notes what came by mail or phone as the tenant's; mails nobody (MSG-11).
 * @throws AppError forbidden without a step-up; bad_request, conflict, not_found
 */
export async function noteMessage(
  deps: Deps,
  sender: Sender & { actor: Admin },
  { at = nowIso(deps), body, requestId, waiting }: z.output<typeof noteForm>,
): Promise<MessageView> {
  const { actor, applicationId } = sender
  // The tenant reads it.
  requireStepUp(deps, deps.db, actor)
  if (Date.parse(at) > deps.clock.now().getTime()) throw fieldError('at', messageRefusals.notYet)
  await deps.limits.consume('messageByAdmin', actor.userId)
  return deps.write(tx => {
    requireThread(tx, sender)
    const known = messageOf(tx, sender, requestId)
    const note = { side: 'tenant', via: 'noted', body, requestId, saidAt: at } as const
    const row = known ?? insertMessage(deps, tx, sender, note)
    if (!known && !waiting) setThread(tx, applicationId, { answered: row.number })
    return viewSent(tx, actor, row).message
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
  sender: Sender,
  { number, unread = false }: { number: number; unread?: boolean | undefined },
): Promise<{ unread: number }> {
  const { actor, applicationId } = sender
  return deps.write(tx => {
    requireThread(tx, sender)
    const side = sideOf(actor)
    const mark = unread ? number - 1 : Math.max(stateOf(tx, side, applicationId).lastRead, number)
    if (number <= lastNumber(tx, applicationId))
      setThread(tx, applicationId, side === 'owner' ? { ownerRead: mark } : { tenantRead: mark })
    return { unread: stateOf(tx, side, applicationId).unread }
  })
}

/** Ends the waiting without an answer (MSG-06). @throws AppError conflict for a later message of the tenant; not_found */
export async function markAnswered(
  deps: Deps,
  sender: Sender & { actor: Admin },
  number: number,
): Promise<ThreadView | null> {
  const { actor, applicationId } = sender
  const ofTenant = and(eq(messages.applicationId, applicationId), eq(messages.side, 'tenant'))
  await deps.write(tx => {
    requireThread(tx, sender)
    const isLater = and(ofTenant, gt(messages.number, number))
    if (tx.select({ number: messages.number }).from(messages).where(isLater).get())
      throw new AppError('conflict', messageRefusals.newMeanwhile)
    if (!stateOf(tx, 'owner', applicationId).waiting) return
    setThread(tx, applicationId, { answered: lastNumber(tx, applicationId) })
    recordEvent(tx, nowIso(deps), actor, 'message.answered', applicationId, { number })
  })
  return readThread(deps, actor, { applicationId })
}

/** Called before a file is read. @throws AppError conflict, not_found, too_many */
export async function requireReceivable(deps: Deps, sender: Sender): Promise<{ isBooked: boolean }> {
  const { requestOrigin, role, userId } = sender.actor
  requireWritable(deps, deps.db, sender)
  const isBooked = requireRoom(deps, deps.db, sender)
  await deps.limits.consume('uploadByUser', userId)
  if (role === 'tenant') await deps.limits.consume('messageFileByAddress', requestOrigin.address)
  return { isBooked }
}

/**
 * Returns whether the stay is booked. @throws AppError conflict once a tenant's that is not has too many bytes; unavailable
 * once all of those have (MSG-04)
 */
function requireRoom(deps: Deps, db: Db, { actor, applicationId }: Sender, more = 0): boolean {
  if (actor.role === 'admin' || isBooked(getApplicationRow(db, actor, applicationId).status)) return true
  const stored = (those: SQL | undefined) => {
    const { bytes, number = 0 } =
      db
        .select({ bytes: sum(files.sizeBytes), number: count() })
        .from(messageFiles)
        .innerJoin(files, eq(files.id, messageFiles.fileId))
        .innerJoin(applications, eq(applications.id, messageFiles.applicationId))
        .where(those)
        .get() ?? {}
    return { bytes: Number(bytes ?? 0) + more, number }
  }
  if (stored(eq(messageFiles.applicationId, applicationId)).bytes > maxUnbookedBytes)
    throw new AppError('conflict', messageRefusals.noRoom)
  const since = new Date(deps.clock.now().getTime() - maxOfAllUnbooked.ms).toISOString()
  const isUnbooked = notInArray(applications.status, [...bookedStatuses])
  const { bytes, number } = stored(and(isUnbooked, gt(messageFiles.createdAt, since)))
  if (bytes > maxOfAllUnbooked.bytes || number >= maxOfAllUnbooked.files)
    throw new AppError('unavailable', messageRefusals.noRoomForAll, { retryAfterSeconds: 3600 })
  return false
}

/** Stores a file for a message, and deletes what went into none (MSG-04). @throws AppError for the file; conflict */
export async function storeMessageFile(
  deps: Deps,
  sender: Sender,
  { content, name }: { content: Buffer; name: string },
): Promise<MessageFileView> {
  const checked = checkScan(content, name, { ...messageRefusals, name: 'file' })
  const { deleted, stored } = await storeFile(deps, 'message-file', checked, (tx, file) => {
    const { actor, applicationId } = sender
    const { contentType, createdAt, id, originalName, sizeBytes } = file
    requireWritable(deps, tx, sender)
    const deleted = deleteUnsent(deps, tx, actor)
    requireRoom(deps, tx, sender, sizeBytes)
    tx.insert(messageFiles).values({ fileId: id, applicationId, uploadedBy: actor.userId, createdAt }).run()
    return { deleted, stored: { id, name: originalName, contentType, sizeBytes } }
  })
  // A kill before this leaves files without a row, which the sweep moves to orphans.
  for (const file of deleted) await deps.files.discard(file)
  return stored
}

/** Deletes the rows of old files without a message, and so many of this person's that there is room for one more. */
function deleteUnsent(deps: Deps, tx: Tx, { userId }: SignedIn): FileRow[] {
  const unsent = tx
    .select({ file: files, of: messageFiles })
    .from(messageFiles)
    .innerJoin(files, eq(files.id, messageFiles.fileId))
    .where(isNull(messageFiles.number))
    .orderBy(desc(messageFiles.createdAt))
    .all()
  const isOld = ({ of }: (typeof unsent)[number]) => of.createdAt <= unsentSince(deps)
  const own = unsent.filter(each => each.of.uploadedBy === userId && !isOld(each))
  const deleted = [...unsent.filter(isOld), ...own.slice(maxUnsentFiles - 1)].map(({ file }) => file)
  const ids = deleted.map(({ id }) => id)
  tx.delete(messageFiles).where(inArray(messageFiles.fileId, ids)).run()
  deleteFileRows(tx, ids)
  return deleted
}

/** A file of a message, or one that the caller has uploaded for the next. @throws AppError conflict while off; not_found, too_many */
export async function readMessageFile(deps: Deps, actor: SignedIn, fileId: string) {
  requireOn(deps.db)
  await deps.limits.consume('fileByUser', actor.userId)
  const { of: stored, file } =
    deps.db
      .select({ file: files, of: messageFiles })
      .from(messageFiles)
      .innerJoin(files, eq(files.id, messageFiles.fileId))
      .where(eq(messageFiles.fileId, fileId))
      .get() ?? {}
  if (!file || !stored || (stored.number === null && stored.uploadedBy !== actor.userId))
    throw new AppError('not_found', 'File not found')
  getSubmittedApplication(deps.db, actor, stored.applicationId)
  const { contentType, originalName: fileName } = file
  return { content: await streamStoredFile(deps, file), contentType, fileName }
}

export const deadLink = () => new AppError('not_found', messageRefusals.deadLink)

/** What a reply link gives access to: the other side's messages of one mail. */
export const linkSubject = (applicationId: string, after: number, upTo: number) =>
  `${applicationId}:${after}:${upTo}`

/** The tenant that a reply link speaks for. @throws AppError not_found, the same for every link that opens nothing */
export function openLink(deps: Deps, { requestOrigin }: Guest | SignedIn, token: string) {
  const link = isOn(deps.db) ? findLink(deps.db, nowIso(deps), 'message_reply', token) : undefined
  const [applicationId = '', after, upTo] = link?.subjectId.split(':') ?? []
  const actor: Tenant = { role: 'tenant', userId: link?.personId ?? '', requestOrigin }
  try {
    const { application } = getSubmittedApplication(deps.db, actor, applicationId)
    const sender: Sender = { actor, applicationId, ...(link && { link }) }
    return { sender, application, after: Number(after), upTo: Number(upTo) }
  } catch {
    throw deadLink()
  }
}

/** What a reply link shows: the messages of its mail alone (MSG-12). Changes nothing. @throws AppError not_found */
export function readByLink(deps: Deps, guest: Guest | SignedIn, token: string) {
  const { after, application, upTo } = openLink(deps, guest, token)
  const isMailed = and(eq(messages.side, 'owner'), gt(messages.number, after), lte(messages.number, upTo))
  const ofThread = eq(messages.applicationId, application.id)
  const rows = deps.db.select().from(messages).where(and(ofThread, isMailed)).all()
  return {
    messages: viewMessages(deps.db, rows).map(({ body, files, ...shown }) => ({
      ...shown,
      body: withoutSecrets(deps, deps.db, body),
      fileCount: files.length,
    })),
    applicationNumber: application.number,
    propertyName: currentSite(deps).propertyName,
    firstName: application.firstName,
    canWrite: closedSentence(deps, deps.db, application) === null,
  }
}
