import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../db/open.ts'
import { users } from '../../../db/schema.ts'
import type { Actor, Admin, System } from '../../domain/access.ts'
import { emailKey, type Role } from '../../domain/account.ts'
import { fieldError } from '../../domain/errors.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { findUserByEmail, type UserRow } from '../sessions/users.ts'

type NewAccount = { email: string; password: string; firstName: string; lastName: string }
type AccountDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'passwords'>

/**
 * Writes an account with its hashed password. The role is the caller's decision, never a request's: over HTTP there
 * are only tenants.
 * @throws AppError conflict when the e-mail has an account, in whatever letter case
 */
export async function createAccount(
  deps: AccountDeps,
  actor: Actor | System,
  role: Role,
  account: NewAccount,
): Promise<UserRow> {
  // Before the hash, as that is the costly part, and once more beside the insert, where it counts.
  refuseTaken(findUserByEmail(deps.db, account.email))
  const passwordHash = await deps.passwords.hash(account.password)
  const at = nowIso(deps)
  return deps.write(tx => {
    refuseTaken(findUserByEmail(tx, account.email))
    return insertAccount(tx, at, actor, role, { ...account, passwordHash })
  })
}

/** A tenant's account without a password: nobody can log in to it until its guest has set one. */
export function createGuestAccount(
  tx: Tx,
  at: string,
  actor: Admin,
  guest: Omit<NewAccount, 'password'>,
): UserRow {
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
    createdAt: at,
    updatedAt: at,
  }
  tx.insert(users).values(row).run()
  recordEvent(tx, at, actor, 'account.created', row.id, { role })
  return row
}

function refuseTaken(user: UserRow | undefined): void {
  if (user) throw fieldError('email', 'An account with this email already exists. Please log in.', 'conflict')
}
