import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { eq } from 'drizzle-orm'
import { outbox } from '../../../db/schema.ts'
import { emailText } from '../../domain/accounts/account.ts'
import { nowIso } from '../kernel/deps.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { type Command, UsageError, withDeps } from './command.ts'

const pollIntervalMs = 500

export const testMail: Command = {
  summary: 'test mail delivery',
  help: `Usage:
  npm run cli -- test-mail --to EMAIL [--wait SECONDS]

Puts a test mail into the outbox and waits until the running site has handed it to the mail server, for 30 seconds by
default. Exits with 0 if the mail server accepted the mail; otherwise prints the server's response and exits with 1.`,

  async run(args, terminal) {
    const { values } = parseArgs({ args, options: { to: { type: 'string' }, wait: { type: 'string' } } })
    if (!values.to) throw new UsageError('--to is missing.')
    const waitMs = Number(values.wait ?? 30) * 1000
    if (!(waitMs >= 0)) throw new UsageError('--wait is a number of seconds.')
    const to = emailText.parse(values.to)

    await withDeps(terminal, async deps => {
      const dedupeKey = `test-mail-${randomUUID()}`
      await deps.write(tx => enqueueMail(tx, nowIso(deps), { kind: 'test-mail', props: {}, to, dedupeKey }))
      terminal.print(`The mail to ${to} is in the outbox.`)
      const giveUpAt = performance.now() + waitMs
      while (true) {
        const mail = deps.db.select().from(outbox).where(eq(outbox.dedupeKey, dedupeKey)).get()
        if (mail?.status === 'sent') return terminal.print('The mail server accepted the mail.')
        if (mail?.lastError) throw new Error(`The mail server did not accept the mail: ${mail.lastError}`)
        if (performance.now() >= giveUpAt)
          throw new Error(
            'The mail is still queued. Is the site running, and SMTP_URL set in its environment?',
          )
        await sleep(pollIntervalMs)
      }
    })
  },
}
