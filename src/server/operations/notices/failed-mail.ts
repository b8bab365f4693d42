import type { Admin } from '../../../domain/accounts/access.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { dismissMail, requeueMail } from '../../messages/outbox.ts'

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
