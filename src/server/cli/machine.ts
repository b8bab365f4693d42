import { parseArgs } from 'node:util'
import { system } from '../../domain/accounts/access.ts'
import { readConfig } from '../kernel/config.ts'
import { confirmSheet, makeSheet } from '../operations/backup/elsewhere/recovery-sheet.ts'
import { elsewhereState } from '../operations/backup/elsewhere/state.ts'
import { backupState } from '../operations/backup/last-backup.ts'
import { listNotices } from '../operations/notices/list-notices.ts'
import { sendAlarm } from '../operations/upgrade/alarm.ts'
import { connectionAdvice } from '../setup/connection-advice.ts'
import { currentSite } from '../site/content/published.ts'
import { type Command, UsageError, withDeps } from './command.ts'

export const facts: Command = {
  summary: 'what the site knows about itself, as JSON',
  help: `Usage:
  npm run cli -- facts [--connections]

Prints the last backups, the last test restore, and what the owner's dashboard warns of. With --connections it also asks
DNS and Stripe about mail and card payments.`,

  async run(args, terminal) {
    const { values } = parseArgs({ args, options: { connections: { type: 'boolean' } } })
    await withDeps(terminal, async deps => {
      const { made, test } = elsewhereState(deps.db)
      const notices = await listNotices(deps)
      terminal.print(
        JSON.stringify({
          backupHere: backupState(deps.db).made?.at ?? null,
          backupElsewhere: made?.at ?? null,
          testRestore: test?.fault === null ? test.at : null,
          ownerEmail: currentSite(deps).ownerEmail,
          connections: values.connections ? await connectionAdvice(deps) : [],
          notices: notices.map(({ detail, title, tone }) => ({ isDanger: tone === 'danger', title, detail })),
        }),
      )
    })
  },
}

export const alarm: Command = {
  summary: 'mail the owner, without the database',
  help: `Usage:
  npm run cli -- alarm --subject TEXT --words TEXT

For the watch of the server: uses the sealed copy of the mail settings beside the database.`,

  async run(args, terminal) {
    const { values } = parseArgs({
      args,
      options: { subject: { type: 'string' }, words: { type: 'string' } },
    })
    if (!values.subject || !values.words) throw new UsageError('--subject and --words are needed.')
    await sendAlarm(readConfig(terminal.environment), { subject: values.subject, text: values.words })
    terminal.print('The mail server accepted the mail.')
  },
}

export const sheet: Command = {
  summary: 'make a new recovery sheet for the backups elsewhere',
  help: `Usage:
  npm run cli -- sheet

Prints a new phrase that opens the backups elsewhere, once, and asks for two of its groups. The former phrase works until
then.`,

  async run(args, terminal) {
    parseArgs({ args, options: {} })
    await withDeps(terminal, async deps => {
      const { asked, command, phrase, secretKey, target } = await makeSheet(deps, system)
      for (const line of [`Target   ${target}`, ...(secretKey ? [`Secret   ${secretKey}`] : [])])
        terminal.print(line)
      terminal.print(
        `Phrase   ${phrase}\nRestore  ${command}\n\nWrite it down or print it: it is stored nowhere.`,
      )
      const typed: string[] = []
      for (const group of asked) typed.push(await terminal.readSecret(`Group ${group} of the phrase: `))
      await confirmSheet(deps, system, typed)
      terminal.print('The new sheet opens the backups; the former one does not any more.')
    })
  },
}
