import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../../../../db/open.ts'
import { users } from '../../../../db/schema.ts'
import type { Actor, Admin, System } from '../../../domain/accounts/access.ts'
import { emailKey, type Role } from '../../../domain/accounts/account-rules.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { UserRow } from '../sessions/users.ts'
import { emailTakenMessage, isEmailTaken } from './email-change/changes.ts'

type NewAccount = { email: string; password: string; firstName: string; lastName: string }
/**
 * Inserts an account with its hashed password. The calling code decides the role, never a request: over HTTP only
 * tenants can be created.
 * @throws AppError conflict when the email has an account, regardless of case
 */
export async function createAccount(
  deps: Deps,
  actor: Actor | System,
  role: Role,
  account: NewAccount,
): Promise<UserRow> {
  // Checked early to save the expensive hash, and again in the transaction of the insert, where it counts.
  assertEmailAvailable(deps.db, nowIso(deps), account.email)
  const passwordHash = await deps.passwords.hash(account.password)
  const at = nowIso(deps)
  return deps.write(tx => addAccount(tx, at, actor, role, { ...account, passwordHash }))
}

/** The same inside a write, with the password hashed already. @throws AppError conflict */
export function addAccount(...[tx, at, actor, role, account]: Parameters<typeof insertAccount>): UserRow {
  assertEmailAvailable(tx, at, account.email)
  return insertAccount(tx, at, actor, role, account)
}

/**
 * Creates a tenant's account without a password: nobody can log in until the guest has set one.
 * @throws AppError conflict for an email that is taken
 */
export function createGuestAccount(
  tx: Tx,
  at: string,
  actor: Admin,
  guest: Omit<NewAccount, 'password'>,
): UserRow {
  if (isEmailTaken(tx, at, guest.email)) throw fieldError('email', emailTakenMessage, 'conflict')
  return insertAccount(tx, at, actor, 'tenant', { ...guest, passwordHash: null })
}

function insertAccount(
  tx: Tx,
  at: string,
  actor: Actor | System,
  role: Role,
  { email, firstName, lastName, passwordHash }: Omit<NewAccount, 'password'> & Pick<UserRow, 'passwordHash'>,
): UserRow {
  const row = {
    id: randomUUID(),
    email: email.trim(),
    emailKey: emailKey(email),
    passwordHash,
    firstName,
    lastName,
    phone: '',
    role,
    // The command line, the start of the site and the demo give addresses that the operator vouches for.
    mailboxProvenAt: actor.role === 'system' ? at : null,
    createdAt: at,
    updatedAt: at,
  }
  tx.insert(users).values(row).run()
  recordEvent(tx, at, actor, 'account.created', row.id, { role })
  return row
}

/** Also rejects a former address whose owner can still undo the change of email (SAFE-28). */
function assertEmailAvailable(db: Db, at: string, email: string): void {
  if (isEmailTaken(db, at, email))
    throw fieldError('email', 'An account with this email already exists. Please log in.', 'conflict')
}
