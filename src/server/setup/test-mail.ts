import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { safetyAnswers } from '../../domain/accounts/account-safety-messages.ts'
import {
  isChallengeOpen,
  mailboxCodeTtlMs,
  newChallenge,
  tryChallenge,
} from '../../domain/accounts/login-challenge.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import type { mailConfirmation, mailTest } from '../../domain/content/connections.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { readFact, writeFact } from '../kernel/installation-facts.ts'
import { mailSource, requireOwnSettings, saveSealed } from '../kernel/sealed-settings.ts'
import { openSavedMail, savedMailSettings } from '../mail/saved-mail.ts'
import { senderAdvice } from './sender-advice.ts'
import type { mailTestView } from './views.ts'

const factKey = 'mail.test'
const silenceMs = 20_000
const maxWords = 300

/** The last test mail: its code is an HMAC of its id with the site's key, so it is stored nowhere. */
const challenge = z.object({
  id: z.string(),
  version: z.int(),
  expiresAt: z.string(),
  tries: z.int(),
  usedAt: z.string().nullable(),
  isSent: z.boolean().optional(),
})

/**
 * Sends a mail with six digits by the saved settings, and returns what the sender's domain lacks (INST-18).
 * @throws AppError conflict if the server decides, or nothing usable is saved; provider_failed with the words of a mail
 * server that refuses or is silent; too_many
 */
export async function sendTestMail(
  deps: Deps,
  actor: Admin,
  { to }: z.output<typeof mailTest>,
  timeoutMs = silenceMs,
): Promise<z.infer<typeof mailTestView>> {
  requireOwnSettings(mailSource(deps.config))
  const settings = savedMailSettings(deps)
  if (!settings) throw new AppError('conflict', 'Please save the mail server with its password first.')
  await deps.limits.consume('sampleMailByUser', actor.userId)
  const id = randomUUID()
  await deps.write(tx => {
    const at = nowIso(deps)
    const test = { id, version: settings.version, ...newChallenge(at, mailboxCodeTtlMs) }
    writeFact(tx, factKey, JSON.stringify(test))
    recordEvent(tx, at, actor, 'setup.mail_tested', 'mail', { to })
  })
  const { composeMail } = await import('../mail/compose.ts')
  const row = { id, kind: 'test-mail', props: { code: codeOf(deps, id) }, toAddress: to, replyTo: null }
  const mail = await composeMail(deps, {}, row)
  const [advice] = await Promise.all([
    senderAdvice(deps.mailNetwork, settings),
    sendWithin(timeoutMs, settings.port, signal => openSavedMail(deps, settings).send(mail, signal)),
  ])
  await deps.write(tx => {
    const test = readTest(tx)
    if (test?.id === id) writeFact(tx, factKey, JSON.stringify({ ...test, isSent: true }))
  })
  return { words: `The mail server took the mail to ${to}.`, advice }
}

/** @throws AppError provider_failed with the mail server's own words, bounded */
async function sendWithin(
  ms: number,
  port: number,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const signal = AbortSignal.timeout(ms)
  try {
    await send(signal)
  } catch (error) {
    const words = error instanceof Error ? error.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxWords) : ''
    // OpenSSL's words for an answer that is not TLS.
    if (words.includes('wrong version number'))
      throw new AppError(
        'provider_failed',
        `The mail was not sent. The mail server does not speak TLS at port ${port}. Try STARTTLS, or another port.`,
      )
    throw new AppError(
      'provider_failed',
      signal.aborted
        ? `The mail server did not answer within ${ms / 1000} seconds.`
        : `The mail was not sent. The answer was: ${words}`,
    )
  }
}

/**
 * Puts the saved settings into use with the digits of their test mail.
 * @throws AppError bad_request for wrong digits; conflict if the server decides, after 15 minutes, five tries, or when
 * the settings were saved again
 */
export async function confirmMail(
  deps: Deps,
  actor: Admin,
  { code }: z.output<typeof mailConfirmation>,
): Promise<{ on: boolean }> {
  requireOwnSettings(mailSource(deps.config))
  const refusal = await deps.write(tx => {
    const at = nowIso(deps)
    const test = readTest(tx)
    const settings = savedMailSettings({ db: tx, key: deps.key })
    if (!test || test.version !== settings?.version)
      return new AppError('conflict', safetyAnswers.mailboxCodeOver)
    const isRight = timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(deps, test.id)))
    const tried = tryChallenge(test, { at, isRight })
    writeFact(tx, factKey, JSON.stringify({ ...test, ...tried.challenge }))
    if (tried.outcome === 'over') return new AppError('conflict', safetyAnswers.mailboxCodeOver)
    if (tried.outcome === 'wrong') return fieldError('code', safetyAnswers.wrongMailboxCode)
    saveSealed(deps, tx, actor, 'smtp.inUse', JSON.stringify(settings))
    recordEvent(tx, at, actor, 'setup.mail_on', 'mail', { version: settings.version })
    return undefined
  })
  // Not thrown inside the transaction, which would roll the count of tries back.
  if (refusal) throw refusal
  return { on: true }
}

/** Whether the digits of the last test mail of these settings can still be typed. */
export function isCodeOpen(deps: Deps): boolean {
  const test = readTest(deps.db)
  return (
    test?.isSent === true &&
    test.version === savedMailSettings(deps)?.version &&
    isChallengeOpen(test, nowIso(deps))
  )
}

function readTest(db: Db) {
  const stored = readFact(db, factKey)
  return stored === undefined ? undefined : challenge.parse(JSON.parse(stored))
}

function codeOf({ key }: Pick<Deps, 'key'>, id: string): string {
  if (key.state !== 'ready') throw new AppError('unavailable', safetyAnswers.noCodes)
  const mac = createHmac('sha256', key.key.bytes).update(`code of the test mail ${id}`).digest()
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}
