import type { Admin } from '../../../domain/accounts/access.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { readSetting, writeSetting } from '../../kernel/settings.ts'

/** The notices that can be postponed: advice, never critical. */
export const adviceIds = ['admin-without-factor'] as const
export type AdviceId = (typeof adviceIds)[number]

const snoozeMs = 30 * 24 * 60 * 60_000
const settingOf = (id: AdviceId) => `notice-put-off:${id}`

/** Hides a piece of advice from the notice board for 30 days. */
export async function snoozeNotice(deps: Deps, actor: Admin, id: AdviceId): Promise<{ message: string }> {
  await deps.write(tx => {
    const at = nowIso(deps)
    writeSetting(tx, settingOf(id), at)
    recordEvent(tx, at, actor, 'notice.put_off', id)
  })
  return { message: safetyMessages.remindedLater }
}

/** Whether the advice was hidden within the last 30 days. */
export function isSnoozed({ clock, db }: Pick<Deps, 'clock' | 'db'>, id: AdviceId): boolean {
  const at = readSetting(db, settingOf(id))
  if (at === undefined) return false
  const sinceMs = clock.now().getTime() - Date.parse(at)
  // A time in the future comes from a wrong clock, and would hide the notice for longer.
  return sinceMs >= 0 && sinceMs < snoozeMs
}
