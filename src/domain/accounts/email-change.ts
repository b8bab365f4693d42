import { clockToleranceMs } from '../common/dates.ts'
import { dayMs } from '../common/durations.ts'
import { emailKey } from './account-rules.ts'

/** How long both addresses can confirm. */
export const emailChangeTtlMs = dayMs
/** How long the former address can undo a change. */
export const emailUndoTtlMs = 7 * dayMs

/**
 * A change of an account's email; timestamps are UTC ISO strings. A change that is both done and canceled was undone.
 */
export type EmailChange = {
  oldEmail: string
  newEmail: string
  createdAt: string
  confirmedOldAt: string | null
  confirmedNewAt: string | null
  doneAt: string | null
  undoUntil: string | null
  cancelledAt: string | null
}
export type EmailChangeState = 'waiting' | 'done' | 'expired' | 'canceled' | 'undone'
/** The address that a link was sent to. */
export type EmailSide = 'old' | 'new'

export function startEmailChange(oldEmail: string, newEmail: string, at: string): EmailChange {
  const nothingYet = {
    confirmedOldAt: null,
    confirmedNewAt: null,
    doneAt: null,
    undoUntil: null,
    cancelledAt: null,
  }
  return { oldEmail, newEmail: newEmail.trim(), createdAt: at, ...nothingYet }
}

export function emailChangeState(change: EmailChange, at: string): EmailChangeState {
  if (change.doneAt !== null) return change.cancelledAt === null ? 'done' : 'undone'
  if (change.cancelledAt !== null) return 'canceled'
  return at < later(change.createdAt, emailChangeTtlMs) ? 'waiting' : 'expired'
}

/**
 * Confirms a change for one address (SAFE-25); undefined if the link is no longer valid. The second confirmation
 * completes the change, unless the new address now has an account: then the change is canceled.
 */
export function confirmEmailChange(
  change: EmailChange,
  { at, isTaken, side }: { side: EmailSide; isTaken: boolean; at: string },
): EmailChange | undefined {
  if (emailChangeState(change, at) !== 'waiting') return undefined
  const confirmed: EmailChange = {
    ...change,
    confirmedOldAt: side === 'old' ? (change.confirmedOldAt ?? at) : change.confirmedOldAt,
    confirmedNewAt: side === 'new' ? (change.confirmedNewAt ?? at) : change.confirmedNewAt,
  }
  if (confirmed.confirmedOldAt === null || confirmed.confirmedNewAt === null) return confirmed
  if (isTaken) return { ...confirmed, cancelledAt: at }
  return { ...confirmed, doneAt: at, undoUntil: later(at, emailUndoTtlMs) }
}

/**
 * Cancels a change that the user gave up or that a newer one replaces (SAFE-29). A completed change stays. An expired one
 * is canceled too, as it may have expired only because the clock is ahead.
 */
export function cancelEmailChange<Change extends EmailChange>(change: Change, at: string): Change {
  return change.doneAt === null && change.cancelledAt === null ? { ...change, cancelledAt: at } : change
}

/**
 * Whether the former address can still take back the account (SAFE-28). Not if the change was made while the clock was
 * ahead: the address would be reserved until that time.
 */
export function canUndo(change: EmailChange, at: string): boolean {
  const { undoUntil } = change
  if (emailChangeState(change, at) !== 'done' || undoUntil === null) return false
  return at < undoUntil && undoUntil <= later(at, emailUndoTtlMs + clockToleranceMs)
}

/**
 * All changes of a user, oldest first, after the former address undid the one at `index`. Later changes are voided too,
 * or whoever made them could take over the account again. Undefined if the change cannot be undone.
 */
export function undoEmailChange(
  changes: readonly EmailChange[],
  index: number,
  at: string,
): { changes: EmailChange[]; email: string } | undefined {
  const undone = changes[index]
  if (!undone || !canUndo(undone, at)) return undefined
  return {
    changes: changes.map((change, position) =>
      position >= index && change.cancelledAt === null ? { ...change, cancelledAt: at } : change,
    ),
    email: undone.oldEmail,
  }
}

/** Keys of former addresses that no other account may use, because their user can still return to them. */
export function reservedEmailKeys(changes: readonly EmailChange[], at: string): Set<string> {
  return new Set(changes.filter(change => canUndo(change, at)).map(({ oldEmail }) => emailKey(oldEmail)))
}

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()
