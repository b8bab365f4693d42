import { z } from 'zod'
import type { Admin } from '../../../domain/accounts/access.ts'
import { safetyAnswers } from '../../../domain/accounts/account-safety-messages.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { readFact, writeFact } from '../../kernel/installation-facts.ts'
import { type AdviceId, adviceIds } from '../../kernel/notice.ts'
import { dismissMail, requeueMail } from '../../mail/outbox.ts'

/** What the owner may postpone. */
export const adviceInput = z.object({ id: z.enum(adviceIds) })

const snoozeMs = 30 * dayMs
const settingOf = (id: string) => `notice-put-off:${id}`

/** Hides a piece of advice from the notice board for 30 days. */
export async function snoozeNotice(deps: Deps, actor: Admin, id: AdviceId): Promise<{ message: string }> {
  await deps.write(tx => {
    const at = nowIso(deps)
    writeFact(tx, settingOf(id), at)
    recordEvent(tx, at, actor, 'notice.put_off', id)
  })
  return { message: safetyAnswers.remindedLater }
}

/** Whether the advice was hidden within the last 30 days. */
export function isSnoozed({ clock, db }: Deps, id: string): boolean {
  const at = readFact(db, settingOf(id))
  if (at === undefined) return false
  const sinceMs = clock.now().getTime() - Date.parse(at)
  // A time in the future comes from a wrong clock, and would hide the notice for longer.
  return sinceMs >= 0 && sinceMs < snoozeMs
}

/** Puts a failed mail back into the queue. @throws AppError like `requeueMail` */
export async function retryMail(deps: Deps, actor: Admin, outboxId: string): Promise<void> {
  const at = nowIso(deps)
  await deps.write(tx => {
    requeueMail(tx, at, outboxId)
    recordEvent(tx, at, actor, 'mail.retried', outboxId)
  })
}

/** Takes a failed mail off the notice board for good. @throws AppError like `dismissMail` */
export async function dismissFailedMail(deps: Deps, actor: Admin, outboxId: string): Promise<void> {
  await deps.write(tx => {
    dismissMail(tx, outboxId)
    recordEvent(tx, nowIso(deps), actor, 'mail.dismissed', outboxId)
  })
}
