import { AppError } from '../common/errors.ts'
import { safetyAnswers } from './account-safety-messages.ts'

/** Where a request came from, for the audit log and signing certificates. */
export type RequestOrigin = { address: string; userAgent: string }
/** Who acts, in the audit log. */
export const actorRoles = ['guest', 'tenant', 'admin', 'system'] as const

export type Guest = {
  role: 'guest'
  requestOrigin: RequestOrigin
  /** Set when the request carried the token of a session that was ended elsewhere (SAFE-21). */
  hadSession?: boolean
}
/** Without a session nothing is proven: actions that need a step-up are rejected. */
type Person = { userId: string; sessionId?: string | undefined; requestOrigin: RequestOrigin }
export type Tenant = Person & { role: 'tenant' }
export type Admin = Person & { role: 'admin' }
/** The program itself: sweeps, the mail worker, the command line. */
export type System = { role: 'system' }
export type SignedIn = Tenant | Admin
export type Actor = Guest | SignedIn

export const system: System = { role: 'system' }

/** Returns the actor as a signed-in user. @throws AppError unauthorized for a guest */
export function requireSignedIn(actor: Actor): SignedIn {
  if (actor.role !== 'guest') return actor
  throw new AppError(
    'unauthorized',
    actor.hadSession ? safetyAnswers.sessionEnded : 'Please log in to continue.',
  )
}

/** Returns the actor as an administrator. @throws AppError unauthorized for a guest, forbidden for a tenant */
export function requireAdmin(actor: Actor): Admin {
  const signedIn = requireSignedIn(actor)
  if (signedIn.role !== 'admin') throw new AppError('forbidden', 'Access denied. Admin credentials required.')
  return signedIn
}

/** Returns the actor as a tenant. @throws AppError unauthorized for a guest, forbidden for an admin */
export function requireTenant(actor: Actor, sentence = 'Only the tenant can do this.'): Tenant {
  const signedIn = requireSignedIn(actor)
  if (signedIn.role !== 'tenant') throw new AppError('forbidden', sentence)
  return signedIn
}

/** Whether the actor may see a record that belongs to `ownerId`: only its owner and admins may. */
export function canView(actor: SignedIn, ownerId: string | null): boolean {
  return actor.role === 'admin' || actor.userId === ownerId
}
