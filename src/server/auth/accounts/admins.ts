import { z } from 'zod'
import type { Tx } from '../../../../db/open.ts'
import { type Admin, system } from '../../../domain/accounts/access.ts'
import { emailText } from '../../../domain/accounts/account.ts'
import { adminPasswordError } from '../../../domain/accounts/account-rules.ts'
import { bookingRulesForm, bookingRulesSection } from '../../../domain/bookings/booking-rules-form.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { ConfigError } from '../../kernel/config.ts'
import { assertNotDemoData, markAsDemo } from '../../kernel/demo-mark.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { saveSectionIn } from '../../site/settings.ts'
import { adminExists, anybodyExists, findUserByEmail } from '../sessions/users.ts'
import { createAccount } from './create-account.ts'
import { isEmailTaken, wasAdminsEmail } from './email-change/changes.ts'
import { replacePassword } from './password-service.ts'

/** The administrator of the demo. Every start prints the login until its password is changed. */
const demoAdmin = { email: 'owner@condo.example', password: 'Seaglass.Demo.1' }

const noAdmin = (command: string) =>
  `There is no administrator yet. Run "${command} admin create --email you@example.com", or set ADMIN_EMAIL and ADMIN_PASSWORD.`

const beingSetUp = (command: string) =>
  `This site is being set up. Make the link to it with "${command} link".`

/** What the owner types on an installed site, and in a checkout. */
const commandOf = ({ config }: Deps) => (config.machineFile === undefined ? 'npm run cli --' : 'condo')

const names = z.string().trim().max(100, 'Please use at most 100 characters')
const newAdmin = z.object({ email: emailText, firstName: names.default(''), lastName: names.default('') })
/**
 * Creates an administrator. Only for the command line and the start of the site: over HTTP only `createFirstAdmin` does.
 * @throws AppError bad_request for a weak password, conflict when the email has an account; ZodError
 */
export async function createAdmin(
  deps: Deps,
  input: z.input<typeof newAdmin>,
  password: string,
): Promise<void> {
  const admin = newAdmin.parse(input)
  assertStrongPassword(password)
  const isNewSite = deps.config.mode === 'production' && !anybodyExists(deps.db)
  const { id } = await createAccount(deps, system, 'admin', { ...admin, password })
  const requestOrigin = { address: '', userAgent: 'Start of the site' }
  if (isNewSite)
    await deps.write(tx => allowStayLength(deps, tx, { role: 'admin', userId: id, requestOrigin }))
}

/** A minimum stay in the rates is meant on a new site (LOOK-57). Sites that exist keep what their owners know. */
export function allowStayLength(deps: Deps, tx: Tx, actor: Admin): void {
  const body = bookingRulesForm.parse({ stayLength: true })
  saveSectionIn(deps, tx, actor, bookingRulesSection, { version: 0, body })
}

/**
 * Gives an administrator a new password and ends their sessions.
 * @throws AppError bad_request for a weak password, not_found when no administrator has this email
 */
export async function resetAdminPassword(deps: Deps, email: string, password: string): Promise<void> {
  assertStrongPassword(password)
  const user = findUserByEmail(deps.db, email)
  if (user?.role !== 'admin') throw new AppError('not_found', 'No administrator has this email.')
  const passwordHash = await deps.passwords.hash(password)
  await deps.write(tx => replacePassword(tx, nowIso(deps), system, user.id, { passwordHash }))
}

/**
 * Makes sure at startup that somebody can manage the site. Creates the administrator of ADMIN_EMAIL unless an
 * administrator has or had that email, and never changes an existing account. Without ADMIN_EMAIL, a new demo gets a
 * demo administrator. Returns a message for the log or terminal, if there is anything to report.
 * @throws ConfigError when ADMIN_EMAIL is a tenant's, or production starts on a demo database
 */
export async function ensureFirstAdmin(deps: Deps): Promise<string | undefined> {
  const { config, db, passwords, write } = deps
  assertNotDemoData(deps)
  if (config.firstAdmin) {
    const { email, password } = config.firstAdmin
    const known = findUserByEmail(db, email)
    if (known?.role === 'admin') return undefined
    // Anybody can register with an email that is available again: that must not keep the site from starting.
    if (wasAdminsEmail(db, email))
      return `The administrator of ADMIN_EMAIL (${email}) has another email now; no second one was created.`
    if (isEmailTaken(db, nowIso(deps), email))
      throw new ConfigError(
        `The site was not started: ADMIN_EMAIL (${email}) is the email of a tenant's account. Set another one.`,
      )
    await createAdmin(deps, { email }, password)
    return `The administrator ${email} was created.`
  }
  if (!adminExists(db)) {
    // A database with users is not a new demo and must not get an administrator with a well-known password.
    if (config.install) return beingSetUp(commandOf(deps))
    if (config.mode === 'production' || anybodyExists(db)) return noAdmin(commandOf(deps))
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

function assertStrongPassword(password: string): void {
  const problem = adminPasswordError(password)
  if (problem) throw new AppError('bad_request', problem)
}
