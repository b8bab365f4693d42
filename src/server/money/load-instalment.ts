import type { Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { planMessages } from '../../domain/money/payment-plan-messages.ts'
import type { PlanInstalment } from '../../domain/money/payment-plan-state.ts'
import { isSigned, loadSubmitted, type OwnApplication } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { findInstalment } from './changes.ts'
import type { InstalmentRow } from './plan-records.ts'
import { type PlanState, planStateOf } from './plan-state.ts'

/** A stored installment with its state as of today, its application and its plan. */
export type LoadedInstalment = {
  record: OwnApplication
  state: PlanState
  row: InstalmentRow
  instalment: PlanInstalment
}

/** @throws AppError not_found; conflict for a superseded installment (PLAN-30) */
export function loadInstalment(deps: Deps, tx: Tx, actor: Admin, id: string): LoadedInstalment {
  const row = findInstalment(tx, id)
  if (!row) throw new AppError('not_found', 'Payment not found')
  const record = loadSubmitted(tx, actor, row.applicationId)
  const state = planStateOf(deps, tx, record)
  const instalment = state?.instalments.find(one => one.id === id)
  if (!state || !instalment) throw new AppError('conflict', planMessages.changed)
  return { record, state, row, instalment }
}

/**
 * Loads an installment for changes that need a signed lease. @throws AppError like `loadInstalment`; conflict also
 * before signing and for a declined application
 */
export function loadSignedInstalment(deps: Deps, tx: Tx, actor: Admin, id: string): LoadedInstalment {
  const loaded = loadInstalment(deps, tx, actor, id)
  const { application, lease } = loaded.record
  if (application.status === 'rejected') throw new AppError('conflict', planMessages.declined)
  if (!isSigned(lease)) throw new AppError('conflict', planMessages.notSigned)
  return loaded
}
