import { type MailSettings, mailSection } from '../../domain/content/connections.ts'
import { cachedUntilWrite } from '../kernel/cached-until-write.ts'
import type { Deps } from '../kernel/deps.ts'
import type { MailTransport } from '../kernel/mail-transport.ts'
import { mailSource, readSealed, sealedText } from '../kernel/sealed-settings.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { createSavedSmtpTransport } from './smtp.ts'

/** Everything that delivery needs. `version` is that of the saved settings. */
export type MailInUse = MailSettings & { password: string; version: number }

/** The settings whose test mail has arrived. */
export function mailInUse({ db, key }: Pick<Deps, 'db' | 'key'>): MailInUse | undefined {
  const text = readSealed({ key }, db, 'smtp.inUse')
  return text === undefined ? undefined : JSON.parse(text)
}

/** The saved settings, in use or not; undefined if there are none, or if their password cannot be decrypted. */
export function savedMailSettings({ db, key }: Pick<Deps, 'db' | 'key'>): MailInUse | undefined {
  const { body, version } = readSection(db, mailSection)
  const password = body.user === '' ? '' : readSealed({ key }, db, 'smtp.password')
  return version === 0 || password === undefined ? undefined : { ...body, password, version }
}

/** Delivers with these settings, in the site's current name. */
export function openSavedMail(deps: Deps, settings: MailInUse): MailTransport {
  const from = () => ({ name: currentSite(deps).companyName, address: settings.from })
  return createSavedSmtpTransport({ ...settings, from }, deps.mailNetwork)
}

/** The mail transport with the settings in use, opened again after they change (INST-22). */
export function createSavedMail(deps: Deps): () => MailTransport | undefined {
  let last: { sealed: string; mail: MailTransport | undefined } = { sealed: '', mail: undefined }
  return () => {
    if (mailSource(deps.config) !== 'here') return undefined
    const sealed = cachedUntilWrite(deps, 'mail in use', () => sealedText(deps.db, 'smtp.inUse'))
    if (sealed !== last.sealed) {
      const settings = mailInUse(deps)
      last = { sealed, mail: settings && openSavedMail(deps, settings) }
    }
    return last.mail
  }
}
