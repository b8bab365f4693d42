import { and, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import { userFactors } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import type { factorsResponse } from '../../../domain/accounts/account-safety-form.ts'
import type { Deps } from '../../kernel/deps.ts'
import { findUser } from '../sessions/users.ts'
import { factorStatusOf } from './factor-status.ts'
import { isMailboxProvenForFactors } from './step-up.ts'
import { toFactorView } from './views.ts'

/** The caller's own factors, oldest first, how many recovery codes are left, and whether another can be added without a mailed code. */
export function listFactors(deps: Deps, { userId }: SignedIn): z.infer<typeof factorsResponse> {
  const factors = deps.db
    .select()
    .from(userFactors)
    .where(and(eq(userFactors.userId, userId), isNotNull(userFactors.confirmedAt)))
    .orderBy(userFactors.confirmedAt)
    .all()
    .map(toFactorView)
  const user = findUser(deps.db, userId)
  return {
    factors,
    recoveryCodesLeft: factorStatusOf(deps, deps.db, userId).recoveryCodesLeft,
    mailboxProven: user !== undefined && isMailboxProvenForFactors(deps, deps.db, user),
  }
}
