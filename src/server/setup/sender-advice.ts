import { setTimeout as sleep } from 'node:timers/promises'
import type { MailSettings } from '../../domain/content/connections.ts'
import type { MailNetwork } from '../lib/mail-network.ts'

const withinMs = 5_000

/**
 * What the sender's domain lacks for its mails to be trusted, in sentences; says nothing about what could not be looked
 * up (INST-18).
 */
export async function senderAdvice(
  { texts }: MailNetwork,
  { dkimSelector, from }: Pick<MailSettings, 'dkimSelector' | 'from'>,
  timeoutMs = withinMs,
): Promise<string[]> {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const labels = domain.split('.')
  // DMARC of a parent domain counts for the domains below it.
  const parents = labels.slice(0, -1).map((_, index) => `_dmarc.${labels.slice(index).join('.')}`)
  const dkim = `${dkimSelector}._domainkey.${domain}`
  const has = async (names: string[], start: RegExp) => {
    const found = await Promise.all(names.map(texts))
    return found.flat().some(text => start.test(text.trim()))
  }
  const checks: [Promise<boolean>, string][] = [
    [has([domain], /^v=spf1\b/i), `${domain} has no SPF record.`],
    [has(parents, /^v=DMARC1\b/i), `${domain} has no DMARC record.`],
  ]
  if (dkimSelector !== '') checks.push([has([dkim], /\bp=\S/), `There is no DKIM key at ${dkim}.`])
  const late = sleep(timeoutMs, true, { ref: false })
  const found = await Promise.all(
    checks.map(([check, sentence]) =>
      Promise.race([check.catch(() => true), late]).then(isThere => (isThere ? [] : [sentence])),
    ),
  )
  return found.flat()
}
