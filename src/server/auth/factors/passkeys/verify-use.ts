import { and, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../../../db/open.ts'
import { userFactors } from '../../../../../db/schema.ts'
import type { Actor } from '../../../../domain/accounts/access.ts'
import type { usedCredential } from '../../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers } from '../../../../domain/accounts/account-safety-messages.ts'
import { isCounterValid } from '../../../../domain/accounts/passkey.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import type { FactorRow } from '../factor-status.ts'
import { consumePasskeyChallenge } from './challenges.ts'
import { requirePasskeyHost, toBase64url, userHandleOf, verifyUse, wrongPasskey } from './webauthn.ts'

export type UsedCredential = z.infer<typeof usedCredential>
/**
 * Verifies a passkey's response, marks its challenge as used and advances its counter (SAFE-12), in a separate write,
 * so that a rejection is also stored. Call the returned function in the transaction of the login or step-up: it returns
 * the passkey, whose person the caller must check, or undefined if the passkey has been removed.
 * @throws AppError bad_request
 */
export async function verifyPasskeyUse(
  deps: Deps,
  actor: Actor,
  credential: UsedCredential,
): Promise<(tx: Tx) => FactorRow | undefined> {
  const rpId = requirePasskeyHost(deps)
  const factor = findPasskey(deps.db, credential.id)
  if (!factor || factor.rpId !== rpId || !isHandleOf(factor, credential)) throw wrongPasskey()
  const { backedUp, challenge, counter } = await verifyUse(deps, credential, factor)
  const at = nowIso(deps)
  const outcome = await deps.write(tx => {
    if (!consumePasskeyChallenge(tx, challenge, { kind: 'passkey_use' }, at)) return 'refused'
    const current = findPasskey(tx, credential.id)
    if (!current) return 'refused'
    if (!isCounterValid(current.counter, counter)) {
      const detail = { factorId: current.id, label: current.label }
      recordEvent(tx, at, actor, 'account.passkey_refused', current.userId, detail)
      return 'went back'
    }
    tx.update(userFactors)
      .set({ backedUp, counter, lastUsedAt: at })
      .where(eq(userFactors.id, current.id))
      .run()
    return 'accepted'
  })
  if (outcome === 'went back') throw new AppError('bad_request', safetyAnswers.passkeyWentBack)
  if (outcome === 'refused') throw wrongPasskey()
  return tx => {
    const current = findPasskey(tx, credential.id)
    return current?.id === factor.id ? current : undefined
  }
}

/** Some devices omit the user handle; the handle of another person means that the response was tampered with. */
function isHandleOf({ userId }: FactorRow, { response }: UsedCredential): boolean {
  const handle = response.userHandle ?? undefined
  return handle === undefined || handle === toBase64url(userHandleOf(userId))
}

function findPasskey(db: Db, credentialId: string) {
  const row = db
    .select()
    .from(userFactors)
    .where(
      and(
        eq(userFactors.credentialId, credentialId),
        eq(userFactors.kind, 'passkey'),
        isNotNull(userFactors.confirmedAt),
      ),
    )
    .get()
  const { counter, publicKey } = row ?? {}
  if (!row || counter == null || publicKey == null) return undefined
  return { ...row, credentialId, counter, publicKey }
}
