import { z } from 'zod'
import { system } from '../../domain/access.ts'
import { emailText } from '../../domain/account.ts'
import { adminPasswordProblem } from '../../domain/account-rules.ts'
import { AppError } from '../../domain/errors.ts'
import { ConfigError } from '../kernel/config.ts'
import { markAsDemo, refuseDemoData } from '../kernel/demo-mark.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { adminExists, anybodyExists, findUserByEmail } from '../sessions/users.ts'
import { createAccount } from './create-account.ts'
import { isEmailTaken, wasAdminsEmail } from './email-change/changes.ts'
import { replacePassword } from './password-service.ts'

/** Who manages the demo; said at every start as long as it is true. */
const demoAdmin = { email: 'owner@condo.example', password: 'Seaglass.Demo.1' }

const noAdmin =
  'There is no administrator yet. Run "npm run cli -- admin create --email you@example.com", or set ADMIN_EMAIL and ADMIN_PASSWORD.'

const names = z.string().trim().max(100, 'Please use at most 100 characters')
const newAdmin = z.object({ email: emailText, firstName: names.default(''), lastName: names.default('') })
type AdminDeps = Pick<Deps, 'config' | 'db' | 'write' | 'clock' | 'passwords'>

/**
 * Makes an administrator: for the command line and the start of the site alone, no HTTP call leads here.
 * @throws AppError bad_request for a weak password, conflict when the e-mail has an account; ZodError
 */
export async function createAdmin(
  deps: AdminDeps,
  input: z.input<typeof newAdmin>,
  password: string,
): Promise<void> {
  const admin = newAdmin.parse(input)
  refuseWeak(password)
  await createAccount(deps, system, 'admin', { ...admin, password })
}

/**
 * Gives an administrator a new password; it ends their sessions.
 * @throws AppError bad_request for a weak password, not_found when no administrator has this e-mail
 */
export async function resetAdminPassword(deps: AdminDeps, email: string, password: string): Promise<void> {
  refuseWeak(password)
  const user = findUserByEmail(deps.db, email)
  if (user?.role !== 'admin') throw new AppError('not_found', 'No administrator has this email.')
  const passwordHash = await deps.passwords.hash(password)
  await deps.write(tx => replacePassword(tx, nowIso(deps), system, user.id, { passwordHash }))
}

/**
 * Sees to it at start that somebody can manage the site: the administrator of ADMIN_EMAIL is
 * made where none has or had that e-mail, and an existing account is never changed; without one configured, the
 * demo makes its own. Answers what to tell the owner in the log or terminal, if anything.
 * @throws ConfigError when ADMIN_EMAIL is a tenant's, or production is started on a demo's database
 */
export async function ensureFirstAdmin(deps: AdminDeps): Promise<string | undefined> {
  const { config, db, passwords, write } = deps
  refuseDemoData(deps)
  if (config.firstAdmin) {
    const { email, password } = config.firstAdmin
    const known = findUserByEmail(db, email)
    if (known?.role === 'admin') return undefined
    // Anybody can register with an e-mail that is free again: that must not keep the site from starting.
    if (wasAdminsEmail(db, email))
      return `The administrator of ADMIN_EMAIL (${email}) has another e-mail now; no second one was created.`
    if (isEmailTaken(db, nowIso(deps), email))
      throw new ConfigError(
        `The site was not started: ADMIN_EMAIL (${email}) is the e-mail of a tenant's account. Set another one.`,
      )
    await createAdmin(deps, { email }, password)
    return `The administrator ${email} was created.`
  }
  if (!adminExists(db)) {
    // A database with people in it is not a new demo: it gets no administrator with a well-known password.
    if (config.mode === 'production' || anybodyExists(db)) return noAdmin
    await write(tx => markAsDemo(tx, nowIso(deps)))
    await createAdmin(
      deps,
      { email: demoAdmin.email, firstName: 'Demo', lastName: 'Owner' },
      demoAdmin.password,
    )
  }
  if (config.mode === 'production') return undefined
  const known = findUserByEmail(db, demoAdmin.email)
  if (known?.role !== 'admin' || !(await passwords.verify(known.passwordHash, demoAdmin.password)))
    return undefined
  return `Demo administrator: ${demoAdmin.email} / ${demoAdmin.password}`
}

function refuseWeak(password: string): void {
  const problem = adminPasswordProblem(password)
  if (problem) throw new AppError('bad_request', problem)
}
