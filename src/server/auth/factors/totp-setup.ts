import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import type { z } from 'zod'
import type { Db, Tx } from '../../../../db/open.ts'
import { userFactors } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import type {
  recoveryCodesResponse,
  totpConfirmForm,
  totpSetupForm,
  totpSetupResponse,
} from '../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers } from '../../../domain/accounts/account-safety-messages.ts'
import { enrollmentState, hasSecondFactor } from '../../../domain/accounts/factor.ts'
import { withProof } from '../../../domain/accounts/step-up.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { seal } from '../../lib/sealed.ts'
import { base32, matchTotp, newTotpSecret, otpauthUrl } from '../../lib/totp.ts'
import { currentSite } from '../../site/content/published.ts'
import { findProof, storeProof, voidFactorProofs } from '../sessions/session-proof.ts'
import { findUser } from '../sessions/users.ts'
import { checkPassword, rejectProof } from './confirm-step-up.ts'
import { decryptSecret, realNowMs } from './consume-code.ts'
import { type FactorRow, factorStatusOf } from './factor-status.ts'
import { mailFactorChange } from './notifications.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { requireMailboxForFactors, requireProvenMailbox, requireStepUp } from './step-up.ts'

const label = 'Authenticator app'

/**
 * Begins the setup of an authenticator app, which replaces an earlier unconfirmed setup. Requires the password, and a
 * step-up if the account has a factor. The app does not count until the setup is confirmed.
 * @throws AppError forbidden for a wrong password, without the step-up or a proven mailbox; conflict if the account already has an app;
 * unauthorized with the fifth wrong password; unavailable with a damaged key; too_many
 */
export async function setUpTotp(
  deps: Deps,
  actor: SignedIn,
  { password }: z.output<typeof totpSetupForm>,
): Promise<z.infer<typeof totpSetupResponse>> {
  const { key } = deps
  if (key.state !== 'ready') throw new AppError('unavailable', safetyAnswers.keyUnavailable)
  await deps.limits.consume('factorSetupByUser', actor.userId)
  requireMayBegin(deps, deps.db, actor)
  const isRight = await checkPassword(deps, actor, password)
  const secret = newTotpSecret()
  const refusal = await deps.write(tx => {
    const at = nowIso(deps)
    requireMayBegin(deps, tx, actor)
    if (!isRight(tx)) return rejectProof(tx, at, actor, 'password') ?? wrongPassword()
    storePassword(deps, tx, actor)
    const id = randomUUID()
    tx.delete(userFactors).where(isPending(actor.userId)).run()
    tx.insert(userFactors)
      .values({
        id,
        userId: actor.userId,
        kind: 'totp',
        label,
        secretEnc: seal(key.key, id, secret),
        createdAt: at,
      })
      .run()
    return undefined
  })
  // Not thrown inside the transaction, which would roll the count of attempts back.
  if (refusal) throw refusal
  const account = findUser(deps.db, actor.userId)?.email ?? ''
  const url = otpauthUrl(secret, {
    issuer: currentSite(deps).companyName || new URL(deps.config.origin).hostname,
    account,
  })
  return { secret: base32(secret), otpauthUrl: url, qrSvg: renderSVG(url) }
}

/**
 * Confirms the setup by one of its codes, which is marked as used, and returns a new set of recovery codes.
 * @throws AppError bad_request for a wrong code; forbidden without a step-up; conflict without a setup or if the
 * account already has an app; gone after ten minutes; too_many
 */
export async function confirmTotp(
  deps: Deps,
  actor: SignedIn,
  { code }: z.output<typeof totpConfirmForm>,
): Promise<z.infer<typeof recoveryCodesResponse>> {
  await deps.limits.consume('factorSetupByUser', actor.userId)
  return deps.write(tx => {
    const at = nowIso(deps)
    const factor = requireOpenSetup(tx, at, actor.userId)
    requireProvenMailbox(deps, tx, actor)
    requireStepUp(deps, tx, actor)
    const user = findUser(tx, actor.userId)
    const secret = decryptSecret(deps, factor)
    const lastStep = secret && matchTotp(secret, code, { lastStep: null, nowMs: realNowMs(deps) })
    if (!user || lastStep === undefined) throw fieldError('code', safetyAnswers.wrongCode)
    tx.update(userFactors)
      .set({ confirmedAt: at, lastUsedAt: at, lastStep })
      .where(eq(userFactors.id, factor.id))
      .run()
    voidFactorProofs(tx, user.id)
    storeProof(tx, actor.sessionId ?? '', { factorAt: at, stepUpAt: at })
    recordEvent(tx, at, actor, 'account.factor_added', user.id, { kind: 'totp' })
    mailFactorChange(tx, at, actor, user, { change: 'totp-added', label, isOn: true })
    return { recoveryCodes: replaceRecoveryCodes(tx, at, actor, user.id) }
  })
}

const isPending = (userId: string) =>
  and(eq(userFactors.userId, userId), eq(userFactors.kind, 'totp'), isNull(userFactors.confirmedAt))

function findTotp(db: Db, userId: string): FactorRow | undefined {
  const isTotp = and(eq(userFactors.userId, userId), eq(userFactors.kind, 'totp'))
  return db.select().from(userFactors).where(isTotp).get()
}

function requireMayBegin(deps: Deps, db: Db, actor: SignedIn): void {
  requireMailboxForFactors(deps, db, actor)
  const known = findTotp(db, actor.userId)
  if (known && known.confirmedAt !== null) throw new AppError('conflict', safetyAnswers.totpExists)
  if (hasSecondFactor(factorStatusOf(deps, db, actor.userId))) requireStepUp(deps, db, actor)
}

function requireOpenSetup(tx: Tx, at: string, userId: string): FactorRow {
  const factor = findTotp(tx, userId)
  if (!factor) throw new AppError('conflict', safetyAnswers.noSetup)
  const state = enrollmentState(factor, at)
  if (state === 'confirmed') throw new AppError('conflict', safetyAnswers.totpExists)
  if (state === 'expired') throw new AppError('gone', safetyAnswers.setupExpired)
  return factor
}

/** The password of the setup counts as a step-up without a factor, which the confirmation requires. */
function storePassword(deps: Deps, tx: Tx, actor: SignedIn): void {
  const session = findProof(tx, actor.sessionId)
  const factorStatus = factorStatusOf(deps, tx, actor.userId)
  const at = nowIso(deps)
  const after = session && withProof(factorStatus, session, { method: 'password', at })
  if (!after) return
  storeProof(tx, actor.sessionId ?? '', after)
  recordEvent(tx, at, actor, 'account.step_up', actor.userId, { method: 'password' })
}

const wrongPassword = () => fieldError('password', safetyAnswers.wrongPassword, 'forbidden')
