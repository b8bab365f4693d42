import type { z } from 'zod'
import type { Db } from '../../../../db/open.ts'
import { type Actor, system } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import type { firstAdminForm, installToken } from '../../../domain/content/install.ts'
import { allowStayLength } from '../../auth/accounts/admins.ts'
import { addAccount } from '../../auth/accounts/create-account.ts'
import type { SignedInResponse } from '../../auth/factors/second-step.ts'
import { createLink, findLink, issueToken, revokeLinks } from '../../auth/sessions/access-links.ts'
import { beginSession } from '../../auth/sessions/sessions.ts'
import { adminExists, toUserView } from '../../auth/sessions/users.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'

const subjectId = 'site'
type Token = z.infer<typeof installToken>

/**
 * Makes the link with which the first administrator is created in the browser, and ends earlier ones (INST-15).
 * @throws AppError conflict where the environment says who owns the site, and once there is an administrator
 */
export async function makeInstallLink(deps: Deps): Promise<string> {
  const { install, origin } = deps.config
  if (!install)
    throw new AppError('conflict', 'This site gets its owner from its environment and needs no link.')
  return deps.write(tx => {
    if (adminExists(tx))
      throw new AppError('conflict', `This site has an administrator. They log in at ${origin}/admin/login`)
    const at = nowIso(deps)
    revokeLinks(tx, at, 'install', { subjectId })
    const { id } = createLink(tx, at, { kind: 'install', subjectId, personId: null })
    return `${origin}/install#${issueToken(tx, at, id)?.token}`
  })
}

/** @throws AppError not_found unless the token makes the first administrator */
export function requireInstallLink(deps: Deps, { token }: Token, db: Db = deps.db): void {
  if (!deps.config.install || adminExists(db) || !findLink(db, nowIso(deps), 'install', token))
    throw new AppError('not_found', 'Not found')
}

/**
 * Creates the first administrator and starts a session. Whoever has the link has the server's console, so the address
 * needs no other proof.
 * @throws AppError not_found without a valid link, and for all but one of several at once
 */
export async function createFirstAdmin(
  deps: Deps,
  { requestOrigin }: Actor,
  { token, password, ...names }: Token & z.output<typeof firstAdminForm>,
): Promise<SignedInResponse> {
  requireInstallLink(deps, { token })
  const passwordHash = await deps.passwords.hash(password)
  return deps.write(tx => {
    requireInstallLink(deps, { token }, tx)
    const at = nowIso(deps)
    const user = addAccount(tx, at, system, 'admin', { ...names, passwordHash })
    const actor = { role: 'admin', userId: user.id, requestOrigin } as const
    allowStayLength(deps, tx, actor)
    revokeLinks(tx, at, 'install', { subjectId })
    return { token: beginSession(deps, tx, actor, user, 'registration'), user: toUserView(user) }
  })
}
