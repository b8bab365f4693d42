import type { z } from 'zod'
import type { Tx } from '../../../db/open.ts'
import type { Actor } from '../../domain/access.ts'
import type { UserView } from '../../domain/account.ts'
import type { challengeAnswer } from '../../domain/account-safety-form.ts'
import { afterPassword } from '../../domain/factor.ts'
import type { SessionOrigin } from '../../domain/step-up.ts'
import type { Deps } from '../kernel/deps.ts'
import { beginSession } from '../sessions/sessions.ts'
import { toUserView, type UserRow } from '../sessions/users.ts'
import { protectionOf } from './protection.ts'

export type SignedInAnswer = { token: string; user: UserView }
export type ChallengeAnswer = z.infer<typeof challengeAnswer>

/** The answer to a right password, in its transaction: a session, or what the second step needs (SAFE-06). */
export function afterRightPassword(
  deps: Pick<Deps, 'clock' | 'config' | 'key'>,
  tx: Tx,
  actor: Actor,
  user: UserRow,
  origin: SessionOrigin,
): SignedInAnswer | ChallengeAnswer {
  const next = afterPassword(protectionOf(deps, tx, user.id))
  if (next.session) return { token: beginSession(deps, tx, actor, user, origin), user: toUserView(user) }
  throw new Error('not built yet')
}
