import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../../../db/open.ts'
import { userFactors } from '../../../../../db/schema.ts'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import type { factorView, passkeyForm } from '../../../../domain/accounts/account-safety-form.ts'
import { safetyMessages } from '../../../../domain/accounts/account-safety-messages.ts'
import { maxPasskeys } from '../../../../domain/accounts/factor.ts'
import { challengeTtlMs } from '../../../../domain/accounts/login-challenge.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { currentSite } from '../../../site/content/published.ts'
import { storeProof, voidFactorProofs } from '../../sessions/session-proof.ts'
import { findUser } from '../../sessions/users.ts'
import type { FactorRow } from '../factor-status.ts'
import { mailFactorChange } from '../notifications.ts'
import { requireMailboxForFactors, requireProvenMailbox, requireStepUp } from '../step-up.ts'
import { toFactorView } from '../views.ts'
import { consumePasskeyChallenge, openPasskeyChallenge } from './challenges.ts'
import {
  algorithms,
  bytesOf,
  requirePasskeyHost,
  userHandleOf,
  verifyNew,
  webauthn,
  wrongPasskey,
} from './webauthn.ts'

/**
 * The options that a browser needs to create a passkey for the caller.
 * @throws AppError forbidden without a step-up or a proven mailbox, conflict at ten passkeys, bad_request if the site's
 * host does not support passkeys
 */
export async function newPasskeyOptions(deps: Deps, actor: SignedIn): Promise<Record<string, unknown>> {
  requireMailboxForFactors(deps, deps.db, actor)
  requireStepUp(deps, deps.db, actor)
  const rpID = requirePasskeyHost(deps)
  const passkeys = loadPasskeysBelowLimit(deps.db, actor)
  const user = findUser(deps.db, actor.userId)
  if (!user) throw new AppError('unauthorized', safetyMessages.loginAgain)
  const purpose = { kind: 'passkey_setup', userId: user.id } as const
  const challenge = await deps.write(tx => openPasskeyChallenge(tx, purpose, nowIso(deps)))
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpID,
    rpName: currentSite(deps).companyName || rpID,
    userID: userHandleOf(user.id),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`.trim(),
    challenge: bytesOf(challenge),
    timeout: challengeTtlMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: passkeys
      .filter(passkey => passkey.rpId === rpID)
      .flatMap(({ credentialId }) => (credentialId === null ? [] : [{ id: credentialId }])),
  })
  return { ...options }
}

/**
 * Adds a passkey to the caller's account (SAFE-12). Also steps the session up, as the device has verified the person.
 * @throws AppError forbidden without a step-up or a proven mailbox, conflict at ten passkeys and for an existing one,
 * bad_request for an invalid response
 */
export async function addPasskey(
  deps: Deps,
  actor: SignedIn,
  { credential, name }: z.infer<typeof passkeyForm>,
): Promise<z.infer<typeof factorView>> {
  requireProvenMailbox(deps, deps.db, actor)
  requireStepUp(deps, deps.db, actor)
  const rpId = requirePasskeyHost(deps)
  const { backedUp, challenge, counter, key } = await verifyNew(deps, credential)
  const at = nowIso(deps)
  return deps.write(tx => {
    requireProvenMailbox(deps, tx, actor)
    requireStepUp(deps, tx, actor)
    const { userId } = actor
    if (!consumePasskeyChallenge(tx, challenge, { kind: 'passkey_setup', userId }, at)) throw wrongPasskey()
    loadPasskeysBelowLimit(tx, actor)
    const factor = tx
      .insert(userFactors)
      .values({
        id: randomUUID(),
        userId,
        kind: 'passkey',
        label: name,
        ...key,
        counter,
        backedUp,
        rpId,
        createdAt: at,
        confirmedAt: at,
      })
      .onConflictDoNothing({ target: userFactors.credentialId })
      .returning()
      .get()
    if (!factor) throw new AppError('conflict', safetyMessages.passkeyExists)
    voidFactorProofs(tx, userId)
    if (actor.sessionId !== undefined) storeProof(tx, actor.sessionId, { factorAt: at, stepUpAt: at })
    recordEvent(tx, at, actor, 'account.factor_added', userId, { kind: 'passkey', label: name })
    const user = findUser(tx, userId)
    if (user) mailFactorChange(tx, at, actor, user, { change: 'passkey-added', label: name, isOn: true })
    return toFactorView(factor)
  })
}

/** The caller's passkeys. @throws AppError conflict if they have the maximum number */
function loadPasskeysBelowLimit(db: Db, { userId }: SignedIn): FactorRow[] {
  const passkeys = db
    .select()
    .from(userFactors)
    .where(and(eq(userFactors.userId, userId), eq(userFactors.kind, 'passkey')))
    .all()
  if (passkeys.length >= maxPasskeys) throw new AppError('conflict', safetyMessages.tooManyPasskeys)
  return passkeys
}
