import type { Admin } from '../../domain/access.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { requeueMail } from '../mail/outbox.ts'

/** Puts a failed mail back into the queue. @throws AppError like `requeueMail` */
export async function retryMail(deps: Deps, actor: Admin, outboxId: string): Promise<void> {
  const at = nowIso(deps)
  await deps.write(tx => {
    requeueMail(tx, at, outboxId)
    recordEvent(tx, at, actor, 'mail.retried', outboxId)
  })
}
