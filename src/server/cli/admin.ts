import { parseArgs } from 'node:util'
import { adminPasswordRules } from '../../domain/account.ts'
import { createAdmin, resetAdminPassword } from '../accounts/admins.ts'
import { type Command, type Terminal, UsageError, withDeps } from './command.ts'

export const admin: Command = {
  summary: 'make an administrator, or give one a new password',
  help: `Usage:
  npm run cli -- admin create --email EMAIL [--first-name NAME] [--last-name NAME]
  npm run cli -- admin reset --email EMAIL

  create   makes an administrator
  reset    sets a new password for an administrator and ends their sessions

The password is asked for, or read as one line from standard input; it is never an argument.
It needs: ${adminPasswordRules.map(({ label }) => label.charAt(0).toLowerCase() + label.slice(1)).join(', ')}.`,

  async run(args, terminal) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        'first-name': { type: 'string' },
        'last-name': { type: 'string' },
      },
    })
    const [action, ...rest] = positionals
    if (rest.length > 0 || (action !== 'create' && action !== 'reset'))
      throw new UsageError('Say "admin create" or "admin reset".')
    const { email } = values
    if (!email) throw new UsageError('--email is missing.')

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

async function readNewPassword(terminal: Terminal): Promise<string> {
  const password = await terminal.readSecret('Password: ')
  if (terminal.isInteractive && (await terminal.readSecret('Once more: ')) !== password)
    throw new Error('The two passwords differ. Nothing was changed.')
  return password
}
