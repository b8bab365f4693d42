import { and, inArray, isNotNull, isNull } from 'drizzle-orm'
import { applications, files } from '../../../../db/schema.ts'
import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { type DepositState, freeCents, hasLeft, nextDeadline } from '../../../domain/money/deposit-case.ts'
import { getApplicationRecord, getSubmittedApplication, selectRecords } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { findPayment } from '../payments/records.ts'
import { loadDeposit } from './items.ts'
import { noticesOf } from './notices.ts'
import { type Deposit, type ItemRow, listNamedPhotos, readDeposit, settingsOf, stateOf } from './records.ts'
import { toRuleView } from './rules.ts'
import {
  type AdminDepositView,
  type adminDepositView,
  type DepositView,
  type depositView,
  letterView,
} from './views.ts'

/**
 * The deposit of an application; null while deposits are not watched, and where none is owed and none was paid. The tenant
 * gets no draft, and items only once a statement names them.
 * @throws AppError not_found like `getSubmittedApplication`
 */
export function showDeposit(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
): DepositView | AdminDepositView | null {
  const { application } = getApplicationRecord(deps.db, actor, applicationId)
  // The tenant's draft has no deposit.
  if (application.submittedAt === null && actor.role !== 'admin') return null
  const record = getSubmittedApplication(deps.db, actor, applicationId)
  const deposit = settingsOf(deps.db).enabled ? readDeposit(deps, deps.db, record) : undefined
  if (!deposit) return null
  return actor.role === 'admin' ? toAdminView(deps, deposit) : toTenantView(deps, deposit)
}

/** All deposits, those with a date first by date, then by number; only in this state if given. */
export async function listDeposits(
  deps: Deps,
  _actor: Admin,
  state?: DepositState,
): Promise<AdminDepositView[]> {
  if (!settingsOf(deps.db).enabled) return []
  const isListed = and(isNull(applications.deletedAt), isNotNull(applications.submittedAt))
  const found: AdminDepositView[] = []
  for (const [i, record] of selectRecords(deps.db).where(isListed).all().entries()) {
    // Other requests have a turn in between.
    if (i % 20 === 19) await yieldToEventLoop()
    const deposit = readDeposit(deps, deps.db, record)
    if (deposit && (state === undefined || stateOf(deposit) === state)) found.push(toAdminView(deps, deposit))
  }
  return found.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

const orderOf = ({ applicationNumber, deadline }: AdminDepositView) =>
  `${deadline?.date ?? '~'} ${applicationNumber}`

function toAdminView(deps: Deps, deposit: Deposit): AdminDepositView {
  const { letters, record } = deposit
  const { firstName, lastName } = record.application
  const [gravest] = noticesOf(deposit)
  return {
    ...fieldsOf(deps, deposit, deposit.items, stateOf(deposit)),
    tenantName: `${firstName} ${lastName}`,
    letters: letters.map(letter => view(letterView, letter)),
    attention: gravest
      ? { tone: gravest.tone ?? 'danger', title: gravest.title, detail: gravest.detail }
      : null,
  } satisfies Record<keyof typeof adminDepositView.shape, unknown>
}

/** The tenant sees what is kept and what the newest statement says, and nothing of what the owner drafts since (DEP-19). */
function toTenantView(deps: Deps, deposit: Deposit): DepositView {
  const { facts, items, record, statements } = deposit
  const kept = items.filter(({ keptAt }) => keptAt !== null)
  const told = (statements.at(-1)?.items ?? []).filter(({ id }) => !kept.some(item => item.id === id))
  const photos = listNamedPhotos(deps.db, record.application.id)
  const named = new Set(
    statements.flatMap(({ items }) => items.flatMap(item => item.photos.map(({ id }) => id))),
  )
  const shown = [
    ...kept.map(item => ({ ...item, photos: item.photos.filter(({ id }) => named.has(id)) })),
    ...told.map(item => ({
      ...{ ...item, keptAt: null },
      photos: photos.filter(({ id }) => item.photos.some(photo => photo.id === id)),
    })),
  ]
  const statement = facts.statement && { ...facts.statement, isCurrent: true }
  const asTold = { ...facts, statement, claimedCents: sumOf(told) }
  const state = stateOf(deposit)
  const isDrafted = state === 'drafted'
  return {
    ...fieldsOf(deps, { ...deposit, facts: asTold }, shown, isDrafted ? 'vacated' : state),
    freeCents: freeCents(asTold),
  }
}

type ShownItem = Pick<ItemRow, 'id' | 'category' | 'label' | 'amountCents' | 'keptAt' | 'photos'>

function fieldsOf(
  deps: Deps,
  deposit: Deposit,
  items: readonly ShownItem[],
  state: DepositState,
): DepositView {
  const { case: row, facts, legs, record, rule, statements, sums } = deposit
  const { id: applicationId, number: applicationNumber } = record.application
  const { disputedCents, onItsWayCents, vacatedOn } = facts
  const fileIds = items.flatMap(({ photos }) => photos.map(({ fileId }) => fileId))
  const stored = deps.db.select().from(files).where(inArray(files.id, fileIds)).all()
  return {
    ...{ applicationId, applicationNumber, state, vacatedOn, disputedCents, onItsWayCents },
    freeCents: deposit.freeCents,
    ...{ ...sums, claimedCents: facts.claimedCents, hasLeft: hasLeft(facts) },
    rule: toRuleView(rule),
    deadline: nextDeadline(facts),
    objectionUntil: statements.at(-1)?.objectionUntil ?? null,
    items: items.map(({ amountCents, category, id, keptAt, label, photos }) => ({
      ...{ id, category, label, amountCents, keptAt },
      photos: photos.map(({ clockDoubtful, fileId, id, receivedAt, sha256, takenAt }) => {
        const { contentType = '', sizeBytes = 0 } = stored.find(file => file.id === fileId) ?? {}
        return { id, sha256, contentType, sizeBytes, receivedAt, takenAt, clockDoubtful }
      }),
    })),
    statements: statements.map(({ objectedAt, objection, ...statement }) => ({
      ...{ id: statement.id, number: statement.number, letterId: statement.letterId, how: statement.how },
      ...{ sentOn: statement.sentOn, trackingNumber: statement.trackingNumber, sha256: statement.sha256 },
      ...{ claimedCents: statement.claimedCents, agreedAt: statement.agreedAt },
      objection: objectedAt !== null && objection !== null ? { at: objectedAt, text: objection } : null,
    })),
    legs: legs
      .filter(({ kind }) => kind === 'deposit')
      .map(leg => {
        const paid = findPayment(deps.db, leg.paymentId ?? leg.rowId ?? '')
        const isOwnRequest = leg.cause === 'deposit' && leg.causeId !== leg.rowId
        return {
          ...{ id: leg.id, requestId: isOwnRequest ? leg.causeId : null, by: leg.by, cause: leg.cause },
          ...{ amountCents: leg.amountCents, feeCents: leg.feeCents, totalCents: leg.totalCents },
          ...{ state: leg.state, error: leg.error, checkNumber: paid?.checkNumber ?? '' },
          ...{ cardBrand: paid?.cardBrand ?? null, cardLast4: paid?.cardLast4 ?? null },
          at: leg.rowId === null ? leg.updatedAt : (paid?.paidAt ?? leg.updatedAt),
        }
      }),
    closedAt: state === 'closed' ? (row?.closedAt ?? null) : null,
  } satisfies Record<keyof typeof depositView.shape, unknown>
}

/** After a change. @throws AppError not_found, also where there is no deposit */
export const tenantDeposit = (deps: Deps, actor: SignedIn, applicationId: string): DepositView =>
  toTenantView(deps, loadDeposit(deps, deps.db, actor, applicationId))

/** After a change. @throws AppError not_found, also where there is no deposit */
export const adminDeposit = (deps: Deps, actor: Admin, applicationId: string): AdminDepositView =>
  toAdminView(deps, loadDeposit(deps, deps.db, actor, applicationId))
