import { parseArgs } from 'node:util'
import { system } from '../../domain/accounts/access.ts'
import { adminPasswordRules } from '../../domain/accounts/account-rules.ts'
import { createAdmin, resetAdminPassword } from '../auth/accounts/admins.ts'
import { forceEmailChange } from '../auth/accounts/email-change/force-change.ts'
import { resetFactors } from '../auth/factors/remove-factor.ts'
import { makeInstallLink } from '../operations/install/first-admin.ts'
import { type Command, type Terminal, UsageError, withDeps } from './command.ts'

export const admin: Command = {
  summary:
    'create an administrator or reset their password; turn off two-step verification or change the email of any account',
  help: `Usage:
  npm run cli -- admin create --email EMAIL [--first-name NAME] [--last-name NAME]
  npm run cli -- admin reset --email EMAIL
  npm run cli -- admin reset-factor --email EMAIL
  npm run cli -- admin change-email --email EMAIL --new-email EMAIL [--applications-too]

  create        creates an administrator
  reset         sets a new password for an administrator and ends their sessions
  reset-factor  removes authenticator app, passkeys and recovery codes of any account and ends its sessions:
                for a lost phone; the password stays
  change-email  changes the email of any account at once and ends its sessions: for a lost mailbox, or where
                mail is not set up; with --applications-too also the contact email of its applications

The command prompts for the password or reads it as one line from standard input; it is never an argument.
A password needs: ${adminPasswordRules.map(({ label }) => label.charAt(0).toLowerCase() + label.slice(1)).join(', ')}.`,

  async run(args, terminal) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        'first-name': { type: 'string' },
        'last-name': { type: 'string' },
        'new-email': { type: 'string' },
        'applications-too': { type: 'boolean' },
      },
    })
    const [action, ...rest] = positionals
    if (rest.length > 0 || !isAction(action))
      throw new UsageError(
        'Expected "admin create", "admin reset", "admin reset-factor" or "admin change-email".',
      )
    const { email } = values
    if (!email) throw new UsageError('--email is missing.')
    if (action === 'reset-factor') return removeFactors(terminal, email)
    if (action === 'change-email') {
      const { 'applications-too': applicationsToo = false, 'new-email': newEmail } = values
      if (!newEmail) throw new UsageError('--new-email is missing.')
      return changeEmail(terminal, { email, newEmail, applicationsToo })
    }

    const password = await readNewPassword(terminal)
    await withDeps(terminal, async deps => {
      if (action === 'create') {
        const name = { firstName: values['first-name'], lastName: values['last-name'] }
        await createAdmin(deps, { email, ...name }, password)
        terminal.print(
          `The administrator ${email} was created. They log in at ${deps.config.origin}/admin/login`,
        )
      } else {
        await resetAdminPassword(deps, email, password)
        terminal.print(`${email} has a new password, and all their sessions have ended.`)
      }
    })
  },
}

const actions = ['create', 'reset', 'reset-factor', 'change-email'] as const
const isAction = (word: string | undefined): word is (typeof actions)[number] =>
  actions.some(action => action === word)

async function removeFactors(terminal: Terminal, email: string): Promise<void> {
  await withDeps(terminal, deps => resetFactors(deps, system, email))
  terminal.print(
    `Two-step verification of ${email} is off, and all their sessions have ended. Set it up again after the next login.`,
  )
}

async function changeEmail(
  terminal: Terminal,
  change: { email: string; newEmail: string; applicationsToo: boolean },
): Promise<void> {
  await withDeps(terminal, deps => forceEmailChange(deps, change))
  terminal.print(
    `The email is ${change.newEmail.trim()} now, and all sessions of ${change.email} have ended. The password stays.`,
  )
}

async function readNewPassword(terminal: Terminal): Promise<string> {
  const password = await terminal.readSecret('Password: ')
  if (terminal.isInteractive && (await terminal.readSecret('Once more: ')) !== password)
    throw new Error('The two passwords differ. Nothing was changed.')
  return password
}

export const link: Command = {
  summary: 'make the link with which a new site is set up in the browser',
  help: `Usage:
  npm run cli -- link

Prints a link that makes the first administrator, once, within 24 hours. A new link ends the one before.`,

  async run(args, terminal) {
    parseArgs({ args, options: {} })
    const [url, file] = await withDeps(terminal, async deps => [
      await makeInstallLink(deps),
      deps.config.databaseFile,
    ])
    terminal.print(`Open this link within 24 hours and answer the questions:\n  ${url}`)
    terminal.print(`It is for the site with the database ${file}.`)
  },
}
