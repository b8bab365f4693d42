import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { depositCases, depositItems } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { depositRefusals, hasLeft } from '../../../domain/money/deposit-case.ts'
import type { CaseForm, ItemForm } from '../../../domain/money/deposit-input.ts'
import { addEvidence, type EvidenceUpload, listEvidence, removeEvidence } from '../../bookings/evidence.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { type Deposit, type ItemRow, loadDeposit, openLetters, requireWatched } from './records.ts'
import { requireRule } from './rules.ts'

/** Stores fields of a deposit's case. */
export function setCase(tx: Tx, applicationId: string, set: Partial<typeof depositCases.$inferInsert>): void {
  tx.insert(depositCases)
    .values({ ...set, applicationId })
    .onConflictDoUpdate({ target: depositCases.applicationId, set: { ...set, applicationId } })
    .run()
}

/**
 * The owner enters the day on which the tenant left, or chooses another rule.
 * @throws AppError not_found; bad_request at the field; conflict after a statement, or while a letter tells them (DEP-04, DEP-11)
 */
export function changeCase(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { ruleId, vacatedOn }: CaseForm,
): Promise<void> {
  return deps.write(tx => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const { facts, record, rule } = deposit
    if (facts.statement) throw new AppError('conflict', 'A statement was sent. Its rule and its day stay.')
    if (openLetters(deposit).length > 0)
      throw new AppError('conflict', 'A letter with this rule and day is printed. Please void it first.')
    if (vacatedOn && (vacatedOn < record.application.stayStartDate || vacatedOn > facts.today))
      throw fieldError('vacatedOn', 'Please choose a day from the first day of the stay to today')
    if (ruleId !== undefined && ruleId !== rule.id) requireRule(tx, ruleId, 'ruleId')
    const set = { ...(vacatedOn !== undefined && { vacatedOn }), ...(ruleId !== undefined && { ruleId }) }
    setCase(tx, applicationId, set)
    recordEvent(tx, nowIso(deps), actor, 'deposit.changed', applicationId, set)
  })
}

/** Adds an item. @throws AppError not_found; conflict for more than is held, or is unpaid (DEP-16, DEP-17) */
export function addItem(deps: Deps, actor: Admin, applicationId: string, form: ItemForm): Promise<string> {
  return deps.write(tx => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const id = randomUUID()
    const at = nowIso(deps)
    requireRoom(deposit, [...deposit.unkept, form])
    tx.insert(depositItems)
      .values({ ...form, id, applicationId, createdAt: at })
      .run()
    recordEvent(tx, at, actor, 'deposit.item_added', applicationId, { itemId: id, ...form })
    return id
  })
}

/** Changes an item that is not kept. @throws AppError like `addItem` */
export function changeItem(
  deps: Deps,
  actor: Admin,
  itemId: string,
  change: Partial<ItemForm>,
): Promise<string> {
  return deps.write(tx => {
    const item = requireOpenItem(tx, itemId)
    const { applicationId } = item
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const { amountCents = item.amountCents, category = item.category, label = item.label } = change
    const form = { amountCents, category, label }
    requireRoom(deposit, [...deposit.unkept.filter(({ id }) => id !== itemId), form])
    tx.update(depositItems).set(form).where(eq(depositItems.id, itemId)).run()
    recordEvent(tx, nowIso(deps), actor, 'deposit.item_changed', applicationId, { itemId, ...form })
    return applicationId
  })
}

/** Takes an item back. @throws AppError not_found; conflict for a kept one */
export function removeItem(deps: Deps, actor: Admin, itemId: string): Promise<string> {
  return deps.write(tx => {
    const { applicationId } = requireOpenItem(tx, itemId)
    loadDeposit(deps, tx, actor, applicationId)
    const at = nowIso(deps)
    tx.update(depositItems).set({ voidedAt: at }).where(eq(depositItems.id, itemId)).run()
    recordEvent(tx, at, actor, 'deposit.item_removed', applicationId, { itemId })
    return applicationId
  })
}

/** @throws AppError not_found for an unknown or removed item */
function requireItem(db: Db, itemId: string) {
  const live = and(eq(depositItems.id, itemId), isNull(depositItems.voidedAt))
  const item = db.select().from(depositItems).where(live).get()
  if (!item) throw new AppError('not_found', 'Item not found')
  return item
}

/** An item that can still change. @throws AppError like `requireItem`; conflict for a kept one */
export function requireOpenItem(db: Db, itemId: string) {
  const item = requireItem(db, itemId)
  if (item.keptAt !== null) throw new AppError('conflict', depositRefusals.itemKept)
  return item
}

type Amount = Pick<ItemForm, 'amountCents' | 'category'>

const requireRoom = ({ facts, unpaidCents }: Deposit, items: readonly Amount[]): void =>
  requireCovered(
    { heldCents: facts.heldCents + facts.disputedCents - facts.onItsWayCents, unpaidCents },
    items,
  )

/** @throws AppError conflict where the items come to more than is held, or than is unpaid (DEP-16, DEP-17) */
export function requireCovered(
  { heldCents, unpaidCents }: { heldCents: number; unpaidCents: number },
  items: readonly Amount[],
): void {
  if (sumOf(items) > heldCents)
    throw new AppError('conflict', depositRefusals.itemsAbove(sumOf(items), heldCents))
  if (sumOf(items.filter(({ category }) => category === 'unpaid')) > unpaidCents)
    throw new AppError('conflict', depositRefusals.onlyUnpaid(unpaidCents))
}

/** The items of a statement or letter: those not yet kept. @throws AppError conflict (DEP-16, DEP-17, DEP-21) */
export function requireClaim(deposit: Deposit): ItemRow[] {
  const { facts, unkept } = deposit
  if (unkept.length === 0) throw new AppError('conflict', 'Please add an item first.')
  if (!hasLeft(facts)) throw new AppError('conflict', depositRefusals.notLeft)
  requireRoom(deposit, unkept)
  return unkept
}

const maxPhotosOfItem = 10

/**
 * Keeps a photo of an item; the same request, or the same bytes again, give the photo that is there.
 * @throws AppError like `addEvidence`; not_found; conflict for an item that is kept or has ten photos
 */
export async function addItemPhoto(
  deps: Deps,
  actor: Admin,
  { itemId, requestId }: { itemId: string; requestId?: string | undefined },
  upload: EvidenceUpload,
) {
  requireWatched(deps.db)
  const { applicationId } = requireItem(deps.db, itemId)
  const of = { applicationId, subject: 'deposit_item', subjectId: itemId, screen: 'application' } as const
  const requireOpen = (db: Db) => {
    requireWatched(db)
    requireOpenItem(db, itemId)
    if (listEvidence(db, [itemId]).length >= maxPhotosOfItem)
      throw new AppError('conflict', 'An item can have 10 photos.')
  }
  const { id } = await addEvidence(deps, { ...of, actor, requestId }, upload, requireOpen)
  return { applicationId, photoId: id }
}

/** Sets a photo of an item aside. @throws AppError like `removeEvidence`; conflict while deposits are not watched */
export async function removeItemPhoto(deps: Deps, actor: Admin, photoId: string): Promise<string> {
  requireWatched(deps.db)
  return (await removeEvidence(deps, actor, photoId)).applicationId
}
