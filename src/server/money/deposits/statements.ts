import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { depositLetters, depositStatements, files } from '../../../../db/schema.ts'
import { type Admin, requireTenant, type SignedIn } from '../../../domain/accounts/access.ts'
import { isMissingEmail } from '../../../domain/accounts/account-rules.ts'
import { coSignerName } from '../../../domain/bookings/people.ts'
import { addDays, dateIn } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import {
  depositMessages,
  objectionUntil,
  type StatementItem,
  tellsItems,
} from '../../../domain/money/deposit-case.ts'
import type { LetterForm, StatementForm } from '../../../domain/money/deposit-input.ts'
import { findDamaged } from '../../bookings/evidence/queries.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { readStoredFile, storeFile } from '../../kernel/files/stored-file.ts'
import { enqueueMail } from '../../messages/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { loadDeposit, requireClaim, setCase } from './items.ts'
import { type Deposit, type LetterRow, openLetters, type StatementRow, toldItems } from './records.ts'

const pdf = 'application/pdf'

/**
 * Sends a statement: stores its PDF, which never changes, and mails it. With `letterId` the printed letter is the PDF. The
 * same request is one statement.
 * @throws AppError bad_request at the field; not_found; conflict without an item, before the tenant has left, after the
 * time to claim, or where the rule asks for another delivery (DEP-20 to DEP-23); unavailable
 */
export async function sendStatement(deps: Deps, actor: Admin, applicationId: string, form: StatementForm) {
  const sent = () => statementOfRequest(deps.db, applicationId, form.requestId)?.id
  return (
    sent() ??
    storeStatement(deps, actor, applicationId, form).catch(error => {
      // The same request was faster.
      const id = sent()
      if (id === undefined) throw error
      return id
    })
  )
}

async function storeStatement(deps: Deps, actor: Admin, applicationId: string, form: StatementForm) {
  const before = loadDeposit(deps, deps.db, actor, applicationId)
  const draft = draftOf(deps, before, form)
  if (form.letterId !== undefined) {
    const { letterId } = form
    return deps.write(tx => {
      const deposit = loadDeposit(deps, tx, actor, applicationId)
      const letter = requireLetter(tx, deposit, letterId)
      const zone = currentSite(deps).timeZone
      if (draft.sentOn < dateIn(new Date(letter.createdAt), zone))
        throw fieldError('sentOn', 'Please choose a day from the day of the letter on')
      if (!tellsItems(letter.items, toldItems(requireClaim(deposit))))
        throw new AppError('conflict', depositMessages.itemsChanged)
      const id = insertStatement(deps, tx, actor, deposit, form, draft, letter)
      tx.update(depositLetters).set({ sentStatementId: id }).where(eq(depositLetters.id, letterId)).run()
      return id
    })
  }
  const content = await deps.renderer.depositStatementPdf({
    ...(await documentOf(deps, before, before.statements.length + 1)),
    objectionUntil: draft.objectionUntil,
  })
  const originalName = `deposit-statement-${before.record.application.number}.pdf`
  return storeFile(deps, 'deposit-statement', { content, originalName, contentType: pdf }, (tx, file) => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    // While the PDF was drawn.
    if (!isSame(before, deposit)) throw new AppError('conflict', changedMessage)
    return insertStatement(deps, tx, actor, deposit, form, draft, { fileId: file.id, sha256: file.sha256 })
  })
}

const changedMessage = 'The items have changed. Please look at them again.'

const statementOfRequest = (db: Db, applicationId: string, requestId: string): StatementRow | undefined =>
  db
    .select()
    .from(depositStatements)
    .where(
      and(eq(depositStatements.applicationId, applicationId), eq(depositStatements.requestId, requestId)),
    )
    .get()

const isSame = (a: Deposit, b: Deposit) =>
  tellsItems(toldItems(a.items), toldItems(b.items)) &&
  a.statements.length === b.statements.length &&
  a.facts.vacatedOn === b.facts.vacatedOn &&
  a.rule.id === b.rule.id &&
  a.facts.heldCents === b.facts.heldCents

/** When a statement is sent and can be objected to. @throws AppError bad_request, conflict (DEP-21, DEP-22) */
function draftOf(deps: Deps, deposit: Deposit, { emailAgreed, how, late, ...form }: StatementForm) {
  const { facts, items, record, rule, statements } = deposit
  const claimedCents = sumOf(requireClaim(deposit))
  const sentOn = how === 'email' ? facts.today : (form.sentOn ?? facts.today)
  if (sentOn < facts.vacatedOn || sentOn > facts.today)
    throw fieldError('sentOn', 'Please choose a day from the day of leaving to today')
  if (how === 'email' && rule.delivery === 'post' && !emailAgreed)
    throw new AppError(
      'conflict',
      'This rule asks for the post, unless the tenant has agreed in writing to email.',
    )
  if (how === 'email' && (!deps.mail || isMissingEmail(record.account.email)))
    throw new AppError('conflict', 'No email can be sent to this tenant from here. Please send it by post.')
  const claimEnd = addDays(facts.vacatedOn, rule.claimDays)
  const last = statements.at(-1)
  // What is kept of it already is not claimed a second time.
  const keptCents = sumOf(
    items.filter(({ id, keptAt }) => keptAt !== null && last?.items.some(told => told.id === id)),
  )
  if (sentOn > claimEnd && last && claimedCents > last.claimedCents - keptCents)
    throw new AppError(
      'conflict',
      `${depositMessages.claimEnded(claimEnd)} A later statement cannot claim more.`,
    )
  if (sentOn > claimEnd && !last && !late)
    throw new AppError('conflict', depositMessages.claimEnded(claimEnd))
  return { sentOn, objectionUntil: objectionUntil(rule, how, sentOn), claimedCents }
}

function insertStatement(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  deposit: Deposit,
  form: StatementForm,
  /** As the document says. */
  expected: ReturnType<typeof draftOf>,
  { fileId, sha256, id: letterId = null }: { fileId: string; sha256: string; id?: string | null },
): string {
  const { application } = deposit.record
  const { id: applicationId, number: applicationNumber, firstName } = application
  const draft = draftOf(deps, deposit, form)
  // Midnight may have passed.
  if (draft.objectionUntil !== expected.objectionUntil) throw new AppError('conflict', changedMessage)
  const at = nowIso(deps)
  const id = randomUUID()
  const number = deposit.statements.length + 1
  const items = toldItems(requireClaim(deposit))
  const { how, requestId, trackingNumber } = form
  tx.insert(depositStatements)
    .values({
      ...draft,
      id,
      applicationId,
      number,
      letterId,
      fileId,
      sha256,
      items,
      how,
      trackingNumber,
      requestId,
      createdAt: at,
    })
    .run()
  // From now on the rule and the day of leaving stay.
  setCase(tx, applicationId, { ruleId: deposit.rule.id })
  recordEvent(tx, at, actor, 'deposit.statement_sent', applicationId, {
    statementId: id,
    how,
    sha256,
    ...draft,
  })
  enqueueMail(tx, at, {
    kind: 'deposit-statement',
    props: { applicationId, applicationNumber, firstName, fileId, ...draft },
    to: deposit.record.account.email,
    dedupeKey: `deposit-statement:${id}`,
  })
  return id
}

/** What both documents say. */
async function documentOf(deps: Deps, { facts, items, record, rule }: Deposit, number: number) {
  const { application } = record
  const site = currentSite(deps)
  const { firstName, lastName, number: applicationNumber, stayEndDate, stayStartDate } = application
  const told = toldItems(items.filter(({ keptAt }) => keptAt === null))
  const heldCents = facts.heldCents + facts.disputedCents
  const ids = told.map(({ id }) => id)
  const damaged = await findDamaged(deps, 'deposit_item', ids)
  const marked = told.map(item => ({
    ...item,
    photos: item.photos.map(photo => ({ ...photo, isDamaged: damaged.has(photo.id) })),
  }))
  return {
    ...{ site, number, applicationNumber, createdAt: nowIso(deps), vacatedOn: facts.vacatedOn },
    tenantNames: [`${firstName} ${lastName}`, coSignerName(application)].filter(Boolean).join(' and '),
    stay: { start: stayStartDate, end: stayEndDate },
    ...{ depositCents: heldCents, items: marked, restCents: Math.max(0, heldCents - sumOf(told)) },
    noticeText: rule.noticeText,
    objectionAddress: [site.companyName, site.propertyAddress, site.ownerEmail].filter(Boolean).join('\n'),
  }
}

/**
 * Prints the letter of a statement that goes by post, before there is a tracking number (EVID-27). The same request is one
 * letter.
 * @throws AppError not_found; conflict without an item, before the tenant has left, and while a letter that was not sent
 * tells the same items; unavailable
 */
export async function printLetter(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { address, requestId }: LetterForm,
): Promise<LetterRow> {
  const before = loadDeposit(deps, deps.db, actor, applicationId)
  const known = before.letters.find(each => each.requestId === requestId)
  if (known) return known
  requirePrintable(before)
  const content = await deps.renderer.depositLetterPdf({
    ...(await documentOf(deps, before, before.letters.length + 1)),
    landlordAddress: currentSite(deps).propertyAddress,
    tenantAddress: address,
  })
  const originalName = `deposit-letter-${before.record.application.number}.pdf`
  return storeFile(deps, 'deposit-letter', { content, originalName, contentType: pdf }, (tx, file) => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const items = requirePrintable(deposit)
    if (!isSame(before, deposit)) throw new AppError('conflict', changedMessage)
    const at = nowIso(deps)
    const row: LetterRow = {
      ...{ id: randomUUID(), applicationId, number: deposit.letters.length + 1, address, items, requestId },
      ...{ claimedCents: sumOf(items), fileId: file.id, sha256: file.sha256, createdAt: at },
      ...{ createdBy: actor.userId, sentStatementId: null, voidedAt: null },
    }
    tx.insert(depositLetters).values(row).run()
    recordEvent(tx, at, actor, 'deposit.letter_printed', applicationId, {
      letterId: row.id,
      sha256: file.sha256,
    })
    return row
  })
}

function requirePrintable(deposit: Deposit): StatementItem[] {
  const items = toldItems(requireClaim(deposit))
  if (openLetters(deposit).some(letter => tellsItems(letter.items, items)))
    throw new AppError('conflict', 'This letter is printed already.')
  return items
}

function requireLetter(db: Db, { record }: Deposit, letterId: string): LetterRow {
  const letter = findLetter(db, letterId)
  if (letter?.applicationId !== record.application.id || letter.voidedAt !== null) throw letterNotFound()
  if (letter.sentStatementId !== null) throw new AppError('conflict', 'This letter was sent already.')
  return letter
}

const findLetter = (db: Db, id: string): LetterRow | undefined =>
  db.select().from(depositLetters).where(eq(depositLetters.id, id)).get()
const letterNotFound = () => new AppError('not_found', 'Letter not found')

/** Voids a letter that was not sent; its file stays. @throws AppError not_found; conflict once it was sent */
export function voidLetter(deps: Deps, actor: Admin, letterId: string): Promise<string> {
  return deps.write(tx => {
    const letter = findLetter(tx, letterId)
    if (!letter || letter.voidedAt !== null) throw letterNotFound()
    loadDeposit(deps, tx, actor, letter.applicationId)
    if (letter.sentStatementId !== null) throw new AppError('conflict', 'This letter was sent already.')
    const at = nowIso(deps)
    tx.update(depositLetters).set({ voidedAt: at }).where(eq(depositLetters.id, letterId)).run()
    recordEvent(tx, at, actor, 'deposit.letter_voided', letter.applicationId, { letterId })
    return letter.applicationId
  })
}

/** The PDF of a letter, its hash checked. @throws AppError not_found; FileDamagedError */
export async function letterFile(deps: Deps, _actor: Admin, letterId: string) {
  const letter = findLetter(deps.db, letterId)
  if (!letter) throw letterNotFound()
  return storedPdf(deps, letter.fileId)
}

/** The PDF of a statement, its hash checked. @throws AppError not_found; FileDamagedError */
export async function statementFile(deps: Deps, actor: SignedIn, applicationId: string, statementId: string) {
  const { statements } = loadDeposit(deps, deps.db, actor, applicationId)
  const statement = statements.find(({ id }) => id === statementId)
  if (!statement) throw statementNotFound()
  return storedPdf(deps, statement.fileId)
}

async function storedPdf(deps: Deps, fileId: string) {
  const file = deps.db.select().from(files).where(eq(files.id, fileId)).get()
  if (!file) throw statementNotFound()
  return { filename: file.originalName, content: await readStoredFile(deps, file) }
}

const statementNotFound = () => new AppError('not_found', 'Statement not found')

/**
 * The tenant objects to the newest statement, once and in time; the owner is mailed the words (DEP-25).
 * @throws AppError forbidden for an administrator; not_found; conflict
 */
export function objectTo(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  { statementId, text }: { statementId: string; text: string },
): Promise<void> {
  const tenant = requireTenant(actor, 'Only the tenant can object.')
  return deps.write(tx => {
    const deposit = loadDeposit(deps, tx, tenant, applicationId)
    const statement = requireAnswerable(deposit, statementId)
    if (statement.objectedAt !== null) throw new AppError('conflict', 'You have objected already.')
    if (statement.agreedAt !== null) throw new AppError('conflict', 'You have agreed already.')
    if (deposit.facts.today > statement.objectionUntil)
      throw new AppError('conflict', depositMessages.objectionEnded(statement.objectionUntil))
    const at = nowIso(deps)
    const { firstName, lastName, number } = deposit.record.application
    tx.update(depositStatements)
      .set({ objectedAt: at, objection: text })
      .where(eq(depositStatements.id, statementId))
      .run()
    recordEvent(tx, at, tenant, 'deposit.objected', applicationId, { statementId })
    enqueueMail(tx, at, {
      kind: 'owner-deposit-objection',
      props: { applicationId, applicationNumber: number, tenantName: `${firstName} ${lastName}`, text },
      to: currentSite(deps).ownerEmail,
      dedupeKey: `deposit-objection:${statementId}`,
    })
  })
}

/** The tenant agrees, which settles at once (DEP-26). @throws AppError like `objectTo` */
export function agreeTo(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  statementId: string,
): Promise<void> {
  const tenant = requireTenant(actor, 'Only the tenant can agree.')
  return deps.write(tx => {
    const statement = requireAnswerable(loadDeposit(deps, tx, tenant, applicationId), statementId)
    if (statement.objectedAt !== null) throw new AppError('conflict', 'You have objected already.')
    if (statement.agreedAt !== null) return
    const at = nowIso(deps)
    tx.update(depositStatements).set({ agreedAt: at }).where(eq(depositStatements.id, statementId)).run()
    recordEvent(tx, at, tenant, 'deposit.agreed', applicationId, { statementId })
  })
}

function requireAnswerable({ statements }: Deposit, id: string): StatementRow {
  const statement = statements.find(each => each.id === id)
  if (!statement) throw statementNotFound()
  if (statement.number !== statements.length) throw new AppError('conflict', 'There is a newer statement.')
  return statement
}
