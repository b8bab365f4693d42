import type { z } from 'zod'
import type { Admin } from '../../domain/accounts/access.ts'
import { fieldError } from '../../domain/common/errors.ts'
import { type mailChange, mailSection } from '../../domain/content/connections.ts'
import { mailConnectionChange } from '../auth/accounts/report-change.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import type { Deps } from '../kernel/deps.ts'
import { mailSource, readSealed, requireOwnSettings, saveSealed } from '../kernel/sealed-settings.ts'
import { readSection, saveSectionIn } from '../site/settings.ts'
import { getMail } from './queries.ts'
import type { MailView } from './views.ts'

/**
 * Saves the mail server and its password. The settings in use stay in use until a test mail of these has arrived. A
 * password that is not sent is kept, but never for another server or user, which could be a way to read it.
 * @throws AppError forbidden without a step-up; conflict if the server decides, or for another version; bad_request
 * without a password that is needed; unavailable with a damaged key
 */
export async function saveMail(
  deps: Deps,
  actor: Admin,
  { version, body, secrets }: z.output<typeof mailChange>,
): Promise<MailView> {
  await deps.write(tx => {
    requireStepUp(deps, tx, actor)
    requireOwnSettings(mailSource(deps.config))
    const { body: before } = readSection(tx, mailSection)
    saveSectionIn(deps, tx, actor, mailSection, { version, body })
    const password = body.user === '' ? '' : secrets.password
    if (password === undefined) {
      const isSame = (['host', 'port', 'user'] as const).every(field => body[field] === before[field])
      if (!isSame || readSealed(deps, tx, 'smtp.password') === undefined)
        throw fieldError('secrets.password', 'Please enter the password of this mail server')
    } else {
      saveSealed(deps, tx, actor, 'smtp.password', password)
    }
    mailConnectionChange(deps, tx, actor, 'Mail')
  })
  return getMail(deps)
}
