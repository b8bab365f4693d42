import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import {
  applications,
  depositCases,
  depositItems,
  depositLetters,
  depositRules,
  depositStatements,
  events,
  payments,
  returnLegs,
} from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { endedStatuses, isEnded } from '../../../domain/bookings/application-status.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import {
  type CaseFacts,
  depositRefusals,
  depositState,
  freeCents,
  type StatementItem,
  tellsItems,
} from '../../../domain/money/deposit-case.ts'
import { depositSection } from '../../../domain/money/deposit-input.ts'
import {
  afterRequestedRefunds,
  depositHeldCents,
  depositSums,
  returnableCents,
} from '../../../domain/money/ledger.ts'
import { type EvidenceRow, listEvidence } from '../../bookings/evidence.ts'
import { type ApplicationRecord, getSubmittedApplication, selectRecords } from '../../bookings/records.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { currentSite } from '../../site/content/published.ts'
import { readSection } from '../../site/settings.ts'
import { accountKeyOf, accountOf, inDisputeOf, withoutLostElsewhere } from '../accounts.ts'
import { type CurrentLeg, currentLegs } from '../payments/returns/current-legs.ts'
import { chargedDeposits, isOneOf, moneyOf } from '../records.ts'
import { endings, type StatementRow, statementsOf, toldIn } from '../statements.ts'

// How a deposit is read: its money from the ledger, the rest from its own tables.

export type RuleRow = typeof depositRules.$inferSelect
export type ItemRow = typeof depositItems.$inferSelect & { photos: EvidenceRow[] }
export type LetterRow = typeof depositLetters.$inferSelect

/** A deposit as of now. Cents. */
export type Deposit = {
  record: ApplicationRecord
  rule: RuleRow
  case: typeof depositCases.$inferSelect | undefined
  /** Whether the tenant left on the case's day. For a declined or cancelled booking it can be the day of that decision (DEP-11). */
  hasLeft: boolean
  facts: CaseFacts
  sums: ReturnType<typeof depositSums>
  /** What is held, not claimed and not on its way back. */
  freeCents: number
  items: ItemRow[]
  /** The items that can still be claimed or kept. */
  unkept: ItemRow[]
  /** What the newest statement that counts says of items that were not kept since, and their sum, at most what is held or disputed. */
  told: StatementItem[]
  toldCents: number
  /** Oldest first. */
  statements: StatementRow[]
  letters: LetterRow[]
  legs: CurrentLeg[]
  /** What is owed without the deposit, less what a bank is sending. */
  unpaidCents: number
}

export const settingsOf = (db: Db) => readSection(db, depositSection).body

/** @throws AppError conflict while deposits are not watched (DEP-01) */
export function requireWatched(db: Db): void {
  if (!settingsOf(db).enabled) throw new AppError('conflict', depositRefusals.off)
}

/** The day of leaving that the owner entered, which stays when a stay's last day moves; none while deposits are not watched (DEP-46). */
export function enteredLeaving(db: Db, applicationId: string): string | undefined {
  const row = db.select().from(depositCases).where(eq(depositCases.applicationId, applicationId)).get()
  return settingsOf(db).enabled ? (row?.vacatedOn ?? undefined) : undefined
}

/** @throws AppError not_found, also where there is no deposit; conflict while deposits are not watched */
export function loadDeposit(deps: Deps, db: Db, actor: SignedIn, applicationId: string): Deposit {
  requireWatched(db)
  const deposit = readDeposit(deps, db, getSubmittedApplication(db, actor, applicationId))
  if (!deposit) throw new AppError('not_found', 'There is no deposit.')
  return deposit
}

/** The deposit of an application; undefined where none is owed and none was paid. */
export function readDeposit(deps: Deps, db: Db, record: ApplicationRecord): Deposit | undefined {
  const { application } = record
  const { balance, depositDueCents, money, rows } = moneyOf(db, application)
  const isOwed = (chargedDeposits(db, [application.id]).get(application.id) ?? 0) > 0
  const hasPaid = rows.some(
    ({ status, type }) => isOfDeposit(type) && status !== 'pending' && status !== 'failed',
  )
  if (!isOwed && !hasPaid) return undefined
  const settings = settingsOf(db)
  const today = todayAt(deps)
  const row = db.select().from(depositCases).where(eq(depositCases.applicationId, application.id)).get()
  const vacatedOn = row?.vacatedOn ?? lastDayOf(deps, db, record)
  const rule = ruleOf(db, row?.ruleId ?? settings.ruleId)
  const account = accountOf(db, accountKeyOf(application))
  const here = withoutLostElsewhere(db, application, account.rows)
  const sums = depositSums(here)
  const after = afterRequestedRefunds(here)
  const items = itemsOf(db, application.id)
  const unkept = items.filter(({ keptAt }) => keptAt === null)
  const statements = statementsOf(db, application.id)
  const { newest, told } = toldIn(statements, items)
  const legs = currentLegs(db, application.id)
  const facts: CaseFacts = {
    today,
    rule,
    vacatedOn,
    isEnded: isEnded(application.status),
    legs: legs.filter(({ kind }) => kind === 'deposit'),
    hasDates: row?.vacatedOn != null || settings.since === null || vacatedOn >= settings.since,
    creditedCents: sums.receivedCents + sums.movedCents,
    heldCents: sums.heldCents,
    disputedCents: inDisputeOf(db, account).depositCents,
    onItsWayCents: Math.max(0, sums.heldCents - Math.max(0, depositHeldCents(after))),
    claimedCents: sumOf(unkept),
    statement: newest ? { ...newest, isCurrent: tellsItems(told, toldItems(unkept)) } : null,
  }
  return {
    record,
    rule,
    case: row,
    hasLeft: row?.vacatedOn != null || !isEnded(application.status),
    facts,
    sums,
    items,
    unkept,
    told,
    toldCents: Math.max(
      0,
      Math.min(sumOf(told), facts.heldCents + facts.disputedCents - facts.onItsWayCents),
    ),
    statements,
    legs,
    freeCents: Math.max(0, Math.min(freeCents(facts), returnableCents('deposit_return', after))),
    letters: db
      .select()
      .from(depositLetters)
      .where(eq(depositLetters.applicationId, application.id))
      .orderBy(asc(depositLetters.number))
      .all(),
    unpaidCents: Math.max(0, balance.balanceCents - depositDueCents - money.onItsWay.otherCents),
  }
}

const isOfDeposit = (type: string) => type === 'deposit' || type === 'deposit_transfer'

/** The last day of the stay; for a declined or cancelled one the day of that decision (DEP-11). */
function lastDayOf(deps: Deps, db: Db, { application }: ApplicationRecord): string {
  if (!isEnded(application.status)) return application.stayEndDate
  const decision = db
    .select({ at: events.at })
    .from(events)
    .where(and(eq(events.subjectId, application.id), inArray(events.kind, endings)))
    .orderBy(desc(events.id))
    .get()
  return decision ? dateIn(new Date(decision.at), currentSite(deps).timeZone) : application.stayEndDate
}

/** @throws Error for a rule that does not exist, which foreign keys and the settings' check exclude */
function ruleOf(db: Db, id: string): RuleRow {
  const rule = db.select().from(depositRules).where(eq(depositRules.id, id)).get()
  if (!rule) throw new Error(`unknown deposit rule ${id}`)
  return rule
}

function itemsOf(db: Db, applicationId: string): ItemRow[] {
  const rows = db
    .select()
    .from(depositItems)
    .where(and(eq(depositItems.applicationId, applicationId), isNull(depositItems.voidedAt)))
    .orderBy(depositItems.createdAt, depositItems.id)
    .all()
  const photos = Map.groupBy(
    listEvidence(
      db,
      rows.map(({ id }) => id),
    ),
    ({ subjectId }) => subjectId,
  )
  return rows.map(row => ({ ...row, photos: photos.get(row.id) ?? [] }))
}

/** What is claimed of the deposits of many applications and not kept yet, in cents; of none while they are not watched. */
export function claimsOf(db: Db, ids: readonly string[]): Map<string, number> {
  if (!settingsOf(db).enabled) return new Map()
  const { amountCents, applicationId, keptAt, voidedAt } = depositItems
  const sums = db
    .select({ applicationId, cents: sql<number>`sum(${amountCents})` })
    .from(depositItems)
    .where(and(isOneOf(applicationId, ids), isNull(keptAt), isNull(voidedAt)))
    .groupBy(applicationId)
    .all()
  return new Map(sums.map(({ applicationId, cents }) => [applicationId, cents]))
}

/** The amount claimed in the newest statement while the tenant can still answer it, in cents; undefined if deposits are not watched, or nothing is held. */
export function claimToAnswer(deps: Deps, record: ApplicationRecord) {
  const ofApplication = eq(depositStatements.applicationId, record.application.id)
  const isSent = deps.db.select().from(depositStatements).where(ofApplication).get() !== undefined
  if (!isSent || !settingsOf(deps.db).enabled) return undefined
  const { facts, toldCents: amountCents = 0 } = readDeposit(deps, deps.db, record) ?? {}
  const statement = facts?.statement
  if (!statement || statement.agreedAt !== null || statement.objectedAt !== null) return undefined
  const { objectionUntil: until } = statement
  return facts.today <= until && amountCents > 0 ? { amountCents, until } : undefined
}

/** Neither sent nor voided. */
export const openLetters = ({ letters }: Deposit): LetterRow[] =>
  letters.filter(({ sentStatementId, voidedAt }) => sentStatementId === null && voidedAt === null)

/** The items as a statement or letter tells them. */
export const toldItems = (items: readonly ItemRow[]): StatementItem[] =>
  items.map(({ amountCents, category, id, label, photos }) => ({
    id,
    category,
    label,
    amountCents,
    photos: photos.map(({ clockDoubtful, id, receivedAt, sha256, takenAt }) => ({
      id,
      sha256,
      receivedAt,
      takenAt,
      clockDoubtful,
    })),
  }))

/** Whether a payment brings money to a deposit or takes some of it. */
export const isOfAnyDeposit = inArray(payments.type, [
  'deposit',
  'deposit_transfer',
  'deposit_return',
  'deduction',
])

/**
 * The applications whose deposit is not closed for good: something of it is held, disputed, short or on its way. All
 * others need no looking after.
 */
export function openDepositIds(db: Db): string[] {
  const rows = db
    .select({ id: payments.applicationId })
    .from(payments)
    .where(and(isOfAnyDeposit, isNull(payments.voidedAt), isNotNull(payments.applicationId)))
    .groupBy(payments.applicationId)
    .having(
      sql`sum(iif(${payments.status} = 'succeeded', ${payments.amountCents} - ${payments.refundedAmountCents}, 0)) <> 0
        or max(${payments.status} = 'disputed')`,
    )
    .all()
  const underWay = db
    .selectDistinct({ id: returnLegs.applicationId })
    .from(returnLegs)
    .where(sql`${returnLegs.state} in ('waiting', 'sent')`)
    .all()
  return [...new Set([...rows, ...underWay].flatMap(({ id }) => id ?? []))]
}

/** The deposits that the owner can be told about, read once until the next write or day. */
export const tellableDeposits = (deps: Deps): Deposit[] =>
  cachedUntilWrite(deps, `tellable deposits ${todayAt(deps)}`, () => readDeposits(deps, tellableIds(deps)))

/** Of the open deposits those that may have a date or a failed leg. */
function tellableIds(deps: Deps): string[] {
  const { db } = deps
  const { since } = settingsOf(db)
  const { id, stayEndDate, status } = applications
  return db
    .select({ id })
    .from(applications)
    .leftJoin(depositCases, eq(depositCases.applicationId, id))
    .where(
      and(
        isOneOf(id, openDepositIds(db)),
        or(
          and(lte(stayEndDate, todayAt(deps)), gte(stayEndDate, since ?? '')),
          inArray(status, [...endedStatuses]),
          isNotNull(depositCases.vacatedOn),
          sql`exists (select 1 from ${returnLegs} where ${returnLegs.applicationId} = ${id})`,
        ),
      ),
    )
    .all()
    .map(row => row.id)
}

/** The deposits of these applications, without those of drafts and deleted ones. */
export function readDeposits(deps: Deps, ids: readonly string[]): Deposit[] {
  const { db } = deps
  return selectRecords(db)
    .where(and(isOneOf(applications.id, ids), isNull(applications.deletedAt)))
    .all()
    .flatMap(record => readDeposit(deps, db, record) ?? [])
}

export const stateOf = ({ facts }: Deposit) => depositState(facts)
