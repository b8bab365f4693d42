import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../../db/open.ts'
import { depositLetters, depositStatements, files } from '../../../../db/schema.ts'
import { type Admin, requireTenant, type SignedIn } from '../../../domain/accounts/access.ts'
import { isMissingEmail } from '../../../domain/accounts/account-rules.ts'
import { coSignerName } from '../../../domain/bookings/people.ts'
import { addDays, dateIn } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { depositRefusals, objectionUntil, tellsItems } from '../../../domain/money/deposit-case.ts'
import type { LetterForm, StatementForm } from '../../../domain/money/deposit-input.ts'
import { findDamaged, thumbnailsOf } from '../../bookings/evidence.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { readStoredFile, storeFile } from '../../kernel/files/stored-file.ts'
import { view } from '../../kernel/view.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import type { StatementRow } from '../statements.ts'
import { requireClaim, setCase } from './items.ts'
import { type Deposit, type LetterRow, loadDeposit, openLetters, toldItems } from './records.ts'
import { letterView } from './views.ts'

const pdf = 'application/pdf'

/**
 * Sends a statement: stores its PDF, which never changes, and mails it. With `letterId` the printed letter is the PDF. The
 * same request is one statement.
 * @throws AppError bad_request at the field; not_found; conflict without an item, before the tenant has left, after the
 * time to claim, or where the rule asks for another delivery (DEP-20 to DEP-23); unavailable
 */
export async function sendStatement(deps: Deps, actor: Admin, applicationId: string, form: StatementForm) {
  const ofRequest = and(
    eq(depositStatements.applicationId, applicationId),
    eq(depositStatements.requestId, form.requestId),
  )
  const store = form.letterId === undefined ? storeStatement : sendLetter
  return once(
    () => deps.db.select().from(depositStatements).where(ofRequest).get()?.id,
    () => store(deps, actor, applicationId, form),
  )
}

/** Makes a row once per request: a repeated or concurrent request returns the first one. */
async function once<T>(made: () => T | undefined, make: () => Promise<T>): Promise<T> {
  return (
    made() ??
    make().catch(error => {
      const first = made()
      if (first === undefined) throw error
      return first
    })
  )
}

async function storeStatement(deps: Deps, actor: Admin, applicationId: string, form: StatementForm) {
  const before = loadDeposit(deps, deps.db, actor, applicationId)
  const draft = draftOf(deps, before, form)
  const textFor = await documentOf(deps, before)
  const textOf = (deposit: Deposit) => {
    const { objectionUntil, sentOn } = draftOf(deps, deposit, form)
    const restUntil = addDays(sentOn, deposit.rule.restDays)
    return { ...textFor(deposit, deposit.statements.length + 1), objectionUntil, restUntil }
  }
  const text = textOf(before)
  const content = await deps.renderer.depositStatementPdf(text)
  const originalName = `deposit-statement-${text.applicationNumber}.pdf`
  return storeFile(deps, 'deposit-statement', { content, originalName, contentType: pdf }, (tx, file) => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    requireSame(text, textOf(deposit))
    return insertStatement(
      deps,
      tx,
      actor,
      deposit,
      { ...form, ...draft },
      {
        fileId: file.id,
        sha256: file.sha256,
      },
    )
  })
}

/** The printed letter is the statement. */
function sendLetter(deps: Deps, actor: Admin, applicationId: string, form: StatementForm) {
  return deps.write(tx => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const draft = draftOf(deps, deposit, form)
    const letter = requireUnsent(deposit.letters.find(({ id }) => id === form.letterId))
    if (draft.sentOn < dateIn(new Date(letter.createdAt), currentSite(deps).timeZone))
      throw fieldError('sentOn', 'Please choose a day from the day of the letter on')
    if (!tellsItems(letter.items, toldItems(deposit.unkept)))
      throw new AppError('conflict', depositRefusals.itemsChanged)
    const id = insertStatement(deps, tx, actor, deposit, { ...form, ...draft }, letter)
    tx.update(depositLetters).set({ sentStatementId: id }).where(eq(depositLetters.id, letter.id)).run()
    return id
  })
}

/** @throws AppError conflict for what changed while a document was drawn; midnight may have passed, too */
function requireSame(before: object, now: object): void {
  if (JSON.stringify(before) !== JSON.stringify(now))
    throw new AppError('conflict', 'The items have changed. Please look at them again.')
}

/** When a statement is sent and can be objected to. @throws AppError bad_request, conflict (DEP-21, DEP-22) */
function draftOf(deps: Deps, deposit: Deposit, { emailAgreed, how, late, ...form }: StatementForm) {
  const { facts, record, rule, told } = deposit
  const claimedCents = sumOf(requireClaim(deposit))
  if (claimedCents !== (form.seenClaimedCents ?? claimedCents))
    throw new AppError('conflict', depositRefusals.claimChanged)
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
  const ended = depositRefusals.claimEnded(claimEnd)
  if (sentOn > claimEnd && facts.statement && claimedCents > sumOf(told))
    throw new AppError('conflict', `${ended} A later statement cannot claim more.`)
  if (sentOn > claimEnd && !facts.statement && !late) throw new AppError('conflict', ended)
  return { sentOn, objectionUntil: objectionUntil(rule, how, sentOn), claimedCents }
}

function insertStatement(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  { facts, record, rule, statements, unkept }: Deposit,
  { how, requestId, trackingNumber, letterId, ...form }: StatementForm & ReturnType<typeof draftOf>,
  { fileId, sha256 }: { fileId: string; sha256: string },
): string {
  const { id: applicationId, number: applicationNumber, firstName } = record.application
  const { claimedCents, objectionUntil, sentOn } = form
  const draft = { claimedCents, objectionUntil, sentOn }
  const [at, id] = [nowIso(deps), randomUUID()]
  tx.insert(depositStatements)
    .values({
      ...draft,
      id,
      applicationId,
      letterId,
      fileId,
      sha256,
      how,
      trackingNumber,
      requestId,
      number: statements.length + 1,
      items: toldItems(unkept),
      createdAt: at,
    })
    .run()
  // From now on the rule and the day of leaving stay.
  setCase(tx, applicationId, { ruleId: rule.id })
  const detail = { statementId: id, how, sha256, ...draft }
  recordEvent(tx, at, actor, 'deposit.statement_sent', applicationId, detail)
  enqueueMail(tx, at, {
    kind: 'deposit-statement',
    props: {
      ...{ applicationId, applicationNumber, firstName, fileId, ...draft },
      depositCents: facts.heldCents + facts.disputedCents,
      items: toldItems(unkept).map(({ amountCents, label }) => ({ amountCents, label })),
      restUntil: addDays(sentOn, rule.restDays),
    },
    to: record.account.email,
    dedupeKey: `deposit-statement:${id}`,
  })
  return id
}

/** What both documents say of a deposit, which is the same until something changes; reads all photos. */
async function documentOf(deps: Deps, { unkept }: Deposit) {
  const [site, createdAt] = [currentSite(deps), nowIso(deps)]
  const photos = unkept.flatMap(({ photos }) => photos)
  const damaged = await findDamaged(deps, photos)
  const thumbnails = await thumbnailsOf(
    deps,
    photos.filter(({ id }) => !damaged.has(id)),
  )
  return ({ facts, hasLeft, record, rule, sums, unkept }: Deposit, number: number) => {
    const { firstName, lastName, number: applicationNumber, stayEndDate, stayStartDate } = record.application
    const { keptCents, returnedCents } = sums
    const leftCents = facts.heldCents + facts.disputedCents
    const items = toldItems(unkept).map(item => ({
      ...item,
      photos: item.photos.map(photo => ({
        ...photo,
        isDamaged: damaged.has(photo.id),
        thumbnailBase64: thumbnails.get(photo.id),
      })),
    }))
    return {
      site,
      number,
      applicationNumber,
      createdAt,
      vacatedOn: facts.vacatedOn,
      hasLeft,
      tenantNames: [`${firstName} ${lastName}`, coSignerName(record.application)]
        .filter(Boolean)
        .join(' and '),
      stay: { start: stayStartDate, end: stayEndDate },
      depositCents: leftCents + returnedCents + keptCents,
      returnedCents,
      keptCents,
      items,
      restCents: Math.max(0, leftCents - sumOf(items)),
      isDisputed: facts.disputedCents > 0,
      noticeText: rule.noticeText,
      objectionAddress: [site.companyName, site.propertyAddress, site.ownerEmail].filter(Boolean).join('\n'),
    }
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
  form: LetterForm,
): Promise<z.infer<typeof letterView>> {
  const made = () =>
    loadDeposit(deps, deps.db, actor, applicationId).letters.find(
      ({ requestId }) => requestId === form.requestId,
    )
  return view(letterView, await once(made, () => storeLetter(deps, actor, applicationId, form)))
}

async function storeLetter(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { address, requestId }: LetterForm,
): Promise<LetterRow> {
  const before = loadDeposit(deps, deps.db, actor, applicationId)
  const textFor = await documentOf(deps, before)
  const textOf = (deposit: Deposit) => {
    const items = toldItems(requireClaim(deposit))
    if (openLetters(deposit).some(letter => tellsItems(letter.items, items)))
      throw new AppError('conflict', 'This letter is printed already.')
    return textFor(deposit, deposit.letters.length + 1)
  }
  const text = textOf(before)
  const addresses = { landlordAddress: text.site.propertyAddress, tenantAddress: address }
  const content = await deps.renderer.depositLetterPdf({ ...text, ...addresses })
  const originalName = `deposit-letter-${text.applicationNumber}.pdf`
  return storeFile(deps, 'deposit-letter', { content, originalName, contentType: pdf }, (tx, file) => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    requireSame(text, textOf(deposit))
    const [at, items] = [nowIso(deps), toldItems(deposit.unkept)]
    const row: LetterRow = {
      id: randomUUID(),
      applicationId,
      number: text.number,
      address,
      items,
      requestId,
      claimedCents: sumOf(items),
      fileId: file.id,
      sha256: file.sha256,
      createdAt: at,
      createdBy: actor.userId,
      sentStatementId: null,
      voidedAt: null,
    }
    tx.insert(depositLetters).values(row).run()
    const detail = { letterId: row.id, sha256: file.sha256 }
    recordEvent(tx, at, actor, 'deposit.letter_printed', applicationId, detail)
    return row
  })
}

/** @throws AppError not_found */
function getLetter(db: Db, id: string): LetterRow {
  const letter = db.select().from(depositLetters).where(eq(depositLetters.id, id)).get()
  if (!letter) throw notFound('Letter')
  return letter
}

/** @throws AppError not_found, also for a voided one; conflict once it was sent */
function requireUnsent(letter: LetterRow | undefined): LetterRow {
  if (!letter || letter.voidedAt !== null) throw notFound('Letter')
  if (letter.sentStatementId !== null) throw new AppError('conflict', 'This letter was sent already.')
  return letter
}

const notFound = (what: 'Letter' | 'Statement') => new AppError('not_found', `${what} not found`)

/** Voids a letter that was not sent; its file stays. @throws AppError like `requireUnsent` */
export function voidLetter(deps: Deps, actor: Admin, letterId: string): Promise<string> {
  return deps.write(tx => {
    const letter = getLetter(tx, letterId)
    const { applicationId } = letter
    loadDeposit(deps, tx, actor, applicationId)
    requireUnsent(letter)
    const at = nowIso(deps)
    tx.update(depositLetters).set({ voidedAt: at }).where(eq(depositLetters.id, letterId)).run()
    recordEvent(tx, at, actor, 'deposit.letter_voided', applicationId, { letterId })
    return applicationId
  })
}

/** The PDF of a letter, its hash checked. @throws AppError not_found; FileDamagedError */
export const letterFile = (deps: Deps, _actor: Admin, letterId: string) =>
  storedPdf(deps, getLetter(deps.db, letterId))

/** The PDF of a statement, its hash checked. @throws AppError not_found; FileDamagedError */
export async function statementFile(deps: Deps, actor: SignedIn, applicationId: string, statementId: string) {
  const { statements } = loadDeposit(deps, deps.db, actor, applicationId)
  return storedPdf(deps, getStatement(statements, statementId))
}

async function storedPdf(deps: Deps, { fileId }: { fileId: string }) {
  const file = deps.db.select().from(files).where(eq(files.id, fileId)).get()
  if (!file) throw notFound('Statement')
  return { filename: file.originalName, content: await readStoredFile(deps, file) }
}

function getStatement(statements: readonly StatementRow[], id: string): StatementRow {
  const statement = statements.find(each => each.id === id)
  if (!statement) throw notFound('Statement')
  return statement
}

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
    const { agreedAt, objectionUntil } = requireAnswerable(deposit, statementId)
    if (agreedAt !== null) throw new AppError('conflict', 'You have agreed already.')
    if (deposit.facts.today > objectionUntil)
      throw new AppError('conflict', depositRefusals.objectionEnded(objectionUntil))
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

/**
 * Records that the tenant agrees, which settles the statement at once, and mails the owner (DEP-26).
 * @throws AppError like `objectTo`; conflict if nothing is left of the deposit
 */
export function agreeTo(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  statementId: string,
): Promise<void> {
  const tenant = requireTenant(actor, 'Only the tenant can agree.')
  return deps.write(tx => {
    const deposit = loadDeposit(deps, tx, tenant, applicationId)
    const statement = requireAnswerable(deposit, statementId)
    if (statement.agreedAt !== null) return
    if (deposit.toldCents === 0) throw new AppError('conflict', depositRefusals.nothingToKeep)
    const at = nowIso(deps)
    tx.update(depositStatements).set({ agreedAt: at }).where(eq(depositStatements.id, statementId)).run()
    recordEvent(tx, at, tenant, 'deposit.agreed', applicationId, { statementId })
    const { firstName, lastName, number } = deposit.record.application
    const agreed = { tenantName: `${firstName} ${lastName}`, claimedCents: deposit.toldCents }
    enqueueMail(tx, at, {
      kind: 'owner-deposit-agreed',
      props: { applicationId, applicationNumber: number, ...agreed },
      to: currentSite(deps).ownerEmail,
      dedupeKey: `deposit-agreed:${statementId}`,
    })
  })
}

/** @throws AppError not_found; conflict unless it counts and is the newest, and once it was objected to */
function requireAnswerable({ statements }: Deposit, id: string): StatementRow {
  const statement = getStatement(statements, id)
  if (!statement.counts) throw new AppError('conflict', 'This statement counts no more.')
  if (statements.findLast(({ counts }) => counts)?.id !== id)
    throw new AppError('conflict', 'There is a newer statement.')
  if (statement.objectedAt !== null) throw new AppError('conflict', 'You have objected already.')
  return statement
}
