import { eq } from 'drizzle-orm'
import { users } from '../../db/schema.ts'
import type { SignedIn } from '../domain/accounts/access.ts'
import { queuedTokens } from './queued-tokens.ts'
import { type TestApp, visitor } from './test-app.ts'

type Deps = Pick<TestApp, 'deps'>
type Links = 'email-change' | 'email-undo'

/** The tokens of the links in the queued mails to this address, newest first. */
export function emailTokens(app: Deps, page: Links, to: string): string[] {
  return queuedTokens(app, [page === 'email-undo' ? 'email-changed' : 'email-change-link'], to)
}

/** Confirms the newest email change through the links mailed to both addresses. */
export async function confirmBoth(app: TestApp, oldEmail: string, newEmail: string): Promise<void> {
  for (const to of [oldEmail, newEmail]) {
    const [token = 'none was mailed'] = emailTokens(app, 'email-change', to)
    await app.as(visitor).emailChange.confirm({ token })
  }
}

/** Changes a user's email, from the request to both confirmations. */
export async function changeEmail(
  app: TestApp,
  actor: SignedIn,
  newEmail: string,
  applicationsToo = false,
): Promise<void> {
  const oldEmail = emailOf(app, actor)
  await app.as(actor).emailChange.start({ newEmail, applicationsToo })
  await confirmBoth(app, oldEmail, newEmail)
}

export const emailOf = ({ deps }: Deps, { userId }: SignedIn): string =>
  deps.db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()?.email ?? ''
