import { and, isNotNull, isNull } from 'drizzle-orm'
import { applications } from '../../../../db/schema.ts'
import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import { type DepositState, freeCents, hasLeft, nextDeadline } from '../../../domain/money/deposit-case.ts'
import { isNamedIn, listEvidence } from '../../bookings/evidence.ts'
import { getApplicationRecord, getSubmittedApplication, selectRecords } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { findPayment } from '../payments/records.ts'
import { type Deposit, type ItemRow, loadDeposit, readDeposit, settingsOf, stateOf } from './records.ts'
import {
  type AdminDepositView,
  type adminDepositView,
  type DepositView,
  type depositView,
  itemView,
  legView,
  letterView,
  photoView,
  ruleView,
  statementView,
} from './views.ts'
import { noticesOf } from './watch.ts'

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
  const read = actor.role === 'admin' ? getSubmittedApplication : getApplicationRecord
  const record = read(deps.db, actor, applicationId)
  // The tenant's draft has no deposit.
  if (record.application.submittedAt === null || !settingsOf(deps.db).enabled) return null
  const deposit = readDeposit(deps, deps.db, record)
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
  const { facts, items, statements, told, toldCents } = deposit
  const named = new Set(
    statements.flatMap(({ items }) => items.flatMap(item => item.photos.map(({ id }) => id))),
  )
  // Also those of items that were taken back.
  const photos = listEvidence(
    deps.db,
    told.map(({ id }) => id),
  )
  const shown = [
    ...items
      .filter(({ keptAt }) => keptAt !== null)
      .map(item => ({ ...item, photos: item.photos.filter(({ id }) => named.has(id)) })),
    ...told.map(item => ({
      ...item,
      keptAt: null,
      photos: photos.filter(({ id }) => item.photos.some(photo => photo.id === id)),
    })),
  ]
  const statement = facts.statement && { ...facts.statement, isCurrent: true }
  const asTold = { ...facts, statement, claimedCents: toldCents }
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
  const { case: row, facts, legs, letters, record, rule, statements, sums } = deposit
  const { id: applicationId, number: applicationNumber } = record.application
  const { claimedCents, disputedCents, onItsWayCents, vacatedOn } = facts
  return {
    applicationId,
    applicationNumber,
    state,
    vacatedOn,
    disputedCents,
    onItsWayCents,
    claimedCents,
    ...sums,
    freeCents: deposit.freeCents,
    hasLeft: hasLeft(facts),
    rule: view(ruleView, rule),
    deadline: nextDeadline(facts),
    objectionUntil: facts.statement?.objectionUntil ?? null,
    items: items.map(item => {
      const photos = item.photos.map(({ file: { contentType, sizeBytes }, ...photo }) =>
        view(photoView, {
          ...photo,
          contentType,
          sizeBytes,
          isNamed: isNamedIn([...statements, ...letters], photo.id),
        }),
      )
      return view(itemView, { ...item, photos })
    }),
    statements: statements.map(statement => {
      const { objectedAt: at, objection: text } = statement
      return view(statementView, {
        ...statement,
        objection: at !== null && text !== null ? { at, text } : null,
      })
    }),
    legs: legs
      .filter(({ kind }) => kind === 'deposit')
      .map(leg => {
        const paid = findPayment(deps.db, leg.paymentId ?? leg.rowId ?? '')
        const { cardBrand = null, cardLast4 = null, checkNumber = '' } = paid ?? {}
        const isOwnRequest = leg.cause === 'deposit' && leg.causeId !== leg.rowId
        return view(legView, {
          ...leg,
          cardBrand,
          cardLast4,
          checkNumber,
          requestId: isOwnRequest ? leg.causeId : null,
          at: leg.rowId === null ? leg.updatedAt : (paid?.paidAt ?? leg.updatedAt),
        })
      }),
    closedAt: state === 'closed' ? (row?.closedAt ?? null) : null,
  } satisfies Record<keyof typeof depositView.shape, unknown>
}

/** The answer to a change. @throws AppError not_found, also where there is no deposit */
export const tenantDeposit = (deps: Deps, actor: SignedIn, applicationId: string) => ({
  deposit: toTenantView(deps, loadDeposit(deps, deps.db, actor, applicationId)),
})

/** The answer to a change. @throws AppError not_found, also where there is no deposit */
export const adminDeposit = (deps: Deps, actor: Admin, applicationId: string) => ({
  deposit: toAdminView(deps, loadDeposit(deps, deps.db, actor, applicationId)),
})
