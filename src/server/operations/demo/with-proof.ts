import type { Admin } from '../../../domain/accounts/access.ts'
import { storeProof } from '../../auth/sessions/session-proof.ts'
import { beginSession, endSession } from '../../auth/sessions/sessions.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'

/** Runs work that requires a step-up, in a session that ends with it. */
export async function withProof(
  deps: Deps,
  admin: Admin,
  work: (proven: Admin) => Promise<unknown>,
): Promise<void> {
  const sessionId = await deps.write(tx => {
    const id = sha256(beginSession(deps, tx, admin, { id: admin.userId, role: admin.role }, 'registration'))
    const at = nowIso(deps)
    storeProof(tx, id, { factorAt: at, stepUpAt: at })
    return id
  })
  await work({ ...admin, sessionId })
  await endSession(deps, sessionId)
}
