import { randomUUID } from 'node:crypto'
import { outbox } from '../../../db/schema.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { ContactMessage } from '../../domain/content/contact.ts'
import { contactMessages } from '../../domain/content/contact-messages.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'
import { enqueueMail } from './outbox.ts'

/** Whether messages can be sent now; loaded with the form. */
export function contactReadiness(deps: Deps) {
  const configured = deps.mail !== undefined
  const { ownerEmail } = currentSite(deps)
  return { ready: configured && isOutboxReadable(deps.db), configured, ownerEmail }
}

/**
 * Puts a visitor's message to the owner into the outbox. A filled honeypot gets the same response and sends nothing.
 * @throws AppError bad_request when mail is not configured, unavailable when the outbox cannot be written, too_many
 */
export async function sendContactMessage(deps: Deps, form: ContactMessage): Promise<void> {
  const { ownerEmail } = currentSite(deps)
  if (!deps.mail) throw new AppError('bad_request', contactMessages.unavailable(ownerEmail))
  if (form.website) return
  await deps.limits.consume('contactByDay', 'all')
  const at = nowIso(deps)
  try {
    await deps.write(tx =>
      enqueueMail(tx, at, {
        kind: 'contact-message',
        props: {
          from_name: form.name,
          from_email: form.email,
          phone: form.phone,
          subject: form.subject,
          message: form.message,
          recipient: ownerEmail,
          sent_date: at,
        },
        to: ownerEmail,
        replyTo: form.email,
        dedupeKey: `contact:${randomUUID()}`,
      }),
    )
  } catch (cause) {
    throw new AppError('unavailable', contactMessages.notReady, { cause, retryAfterSeconds: 10 })
  }
}

function isOutboxReadable(db: Deps['db']): boolean {
  try {
    db.select({ id: outbox.id }).from(outbox).limit(1).all()
    return true
  } catch {
    return false
  }
}
