import { randomUUID } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../kernel/config.ts'
import type { Deps } from '../../kernel/deps.ts'
import type { MailTransport } from '../../kernel/mail-transport.ts'
import { type Repeated, repeat } from '../../kernel/repeat.ts'
import { writeDurably } from '../../lib/disk.ts'
import { findInstallationKey } from '../../lib/installation-key.ts'
import { mailNetwork } from '../../lib/mail-network.ts'
import { seal, unseal } from '../../lib/sealed.ts'
import { type MailInUse, mailInUse } from '../../mail/saved-mail.ts'
import { createSavedSmtpTransport, createSmtpTransport } from '../../mail/smtp.ts'
import { currentSite } from '../../site/content/published.ts'

const pathOf = (databaseFile: string) => join(dirname(databaseFile), 'alarm.sealed')
const name = 'alarm'
const saveEveryMs = 10 * 60_000

/** What a mail about the site needs when its database cannot be read. */
type Alarm = { to: string; company: string; mail: MailInUse | null }

/** Keeps a sealed copy of the mail settings beside the database, for the watch of the server (INST-46). */
export function keepAlarm(deps: Deps): Repeated {
  let last = ''
  const save = async () => {
    const { companyName, ownerEmail } = currentSite(deps)
    const alarm: Alarm = { to: ownerEmail, company: companyName, mail: mailInUse(deps) ?? null }
    const text = JSON.stringify(alarm)
    if (deps.key.state !== 'ready' || text === last) return
    const path = pathOf(deps.config.databaseFile)
    await writeDurably(`${path}.new`, seal(deps.key.key, name, Buffer.from(text)), 'w')
    await rename(`${path}.new`, path)
    last = text
  }
  return repeat(deps, save, 'alarm.sealed was not written', saveEveryMs)
}

/**
 * Mails the owner about the site without reading its database, which may be damaged.
 * @throws Error when there is no copy of the settings, or with the mail server's words
 */
export async function sendAlarm(
  config: Config,
  words: { subject: string; text: string },
  network = mailNetwork,
): Promise<void> {
  const sealed = await readFile(pathOf(config.databaseFile), 'utf8').catch(() => '')
  const key = await findInstallationKey(config.databaseFile)
  const opened = key?.state === 'ready' ? unseal(key.key, name, sealed) : undefined
  if (!opened) throw new Error('There is no copy of the mail settings that this site can read.')
  const { company, mail, to } = JSON.parse(opened.toString('utf8')) as Alarm
  const transport = transportFor(config, mail, company, network)
  if (!transport) throw new Error('Mail is not set up.')
  const html = `<p>${words.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</p>`
  const messageId = `<${randomUUID()}@${new URL(config.origin).hostname}>`
  try {
    await transport.send(
      { ...words, messageId, to, html, replyTo: null, attachments: [] },
      AbortSignal.timeout(30_000),
    )
  } finally {
    await transport.close?.()
  }
}

function transportFor(
  { mailFrom, smtpUrl }: Config,
  mail: MailInUse | null,
  company: string,
  network: Deps['mailNetwork'],
): MailTransport | undefined {
  if (smtpUrl) return createSmtpTransport({ url: smtpUrl, from: mailFrom })
  return mail
    ? createSavedSmtpTransport({ ...mail, from: () => ({ name: company, address: mail.from }) }, network)
    : undefined
}
