import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { depositCases, depositItems } from '../../../../db/schema.ts'
import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { depositMessages, hasLeft, type ItemCategory } from '../../../domain/money/deposit-case.ts'
import type { ItemForm } from '../../../domain/money/deposit-input.ts'
import { getSubmittedApplication } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { type Deposit, type ItemRow, itemsOf, openLetters, readDeposit, requireWatched } from './records.ts'
import { requireRule } from './rules.ts'

/** @throws AppError not_found, also where there is no deposit; conflict while deposits are not watched */
export function loadDeposit(deps: Deps, db: Db, actor: SignedIn, applicationId: string): Deposit {
  requireWatched(db)
  const deposit = readDeposit(deps, db, getSubmittedApplication(db, actor, applicationId))
  if (!deposit) throw new AppError('not_found', 'There is no deposit.')
  return deposit
}

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
  { ruleId, vacatedOn }: { vacatedOn?: string | null | undefined; ruleId?: string | undefined },
): Promise<void> {
  return deps.write(tx => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const { facts, record, rule, statements } = deposit
    if (statements.length > 0)
      throw new AppError('conflict', 'A statement was sent. Its rule and its day stay.')
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
    requireRoom(deposit, deposit.items, { ...form, id })
    tx.insert(depositItems)
      .values({ ...form, id, applicationId, createdAt: at })
      .run()
    recordEvent(tx, at, actor, 'deposit.item_added', applicationId, { itemId: id, ...form })
    return id
  })
}

/** Changes an item that is not kept. @throws AppError like `addItem` */
export function changeItem(deps: Deps, actor: Admin, itemId: string, change: Partial<ItemForm>) {
  return deps.write(tx => {
    const item = requireOpenItem(tx, itemId)
    const deposit = loadDeposit(deps, tx, actor, item.applicationId)
    const form = { ...pick(item), ...definedOf(change) }
    requireRoom(
      deposit,
      deposit.items.filter(({ id }) => id !== itemId),
      { ...form, id: itemId },
    )
    tx.update(depositItems).set(form).where(eq(depositItems.id, itemId)).run()
    recordEvent(tx, nowIso(deps), actor, 'deposit.item_changed', item.applicationId, { itemId, ...form })
    return item.applicationId
  })
}

const pick = ({ amountCents, category, label }: ItemForm): ItemForm => ({ amountCents, category, label })
const definedOf = (change: Partial<ItemForm>): Partial<ItemForm> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

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
export function requireItem(db: Db, itemId: string) {
  const live = and(eq(depositItems.id, itemId), isNull(depositItems.voidedAt))
  const item = db.select().from(depositItems).where(live).get()
  if (!item) throw new AppError('not_found', 'Item not found')
  return item
}

/** An item that can still change. @throws AppError like `requireItem`; conflict for a kept one */
export function requireOpenItem(db: Db, itemId: string) {
  const item = requireItem(db, itemId)
  if (item.keptAt !== null) throw new AppError('conflict', depositMessages.itemKept)
  return item
}

type Amount = { id: string; category: ItemCategory; amountCents: number }

function requireRoom({ facts, unpaidCents }: Deposit, others: readonly ItemRow[], item: Amount): void {
  requireCovered({ heldCents: facts.heldCents + facts.disputedCents - facts.onItsWayCents, unpaidCents }, [
    ...others.filter(({ keptAt }) => keptAt === null),
    item,
  ])
}

/** @throws AppError conflict where the items come to more than is held, or than is unpaid (DEP-16, DEP-17) */
export function requireCovered(
  { heldCents, unpaidCents }: { heldCents: number; unpaidCents: number },
  items: readonly Amount[],
): void {
  const sumOf = (all: readonly Amount[]) => all.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (sumOf(items) > heldCents)
    throw new AppError('conflict', depositMessages.itemsAbove(sumOf(items), heldCents))
  if (sumOf(items.filter(({ category }) => category === 'unpaid')) > unpaidCents)
    throw new AppError('conflict', depositMessages.onlyUnpaid(unpaidCents))
}

/** The items of a statement or letter: those not yet kept. @throws AppError conflict (DEP-21) */
export function requireClaim({ facts, items }: Deposit): ItemRow[] {
  const unkept = items.filter(({ keptAt }) => keptAt === null)
  if (unkept.length === 0) throw new AppError('conflict', 'Please add an item first.')
  if (!hasLeft(facts)) throw new AppError('conflict', depositMessages.notLeft)
  return unkept
}

export const freshItems = (db: Db, applicationId: string): ItemRow[] =>
  itemsOf(db, applicationId).filter(({ keptAt }) => keptAt === null)
