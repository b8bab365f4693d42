import { eq } from 'drizzle-orm'
import { users } from '../../db/schema.ts'
import type { SignedIn } from '../domain/access.ts'
import { type TestApp, visitor } from './test-app.ts'

type Deps = Pick<TestApp, 'deps'>
type Links = 'email-change' | 'email-undo'

/** The tokens of the links that were mailed to this address and have not left yet, the newest first. */
export function emailTokens({ deps }: Deps, page: Links, to: string): string[] {
  return deps.db.query.outbox
    .findMany()
    .sync()
    .filter(row => row.toAddress === to)
    .flatMap(({ props }) => {
      const link = props.link ?? (props.undo as { link: string } | null | undefined)?.link
      const url = typeof link === 'string' ? new URL(link) : undefined
      return url?.pathname === `/${page}` ? [url.hash.slice(1)] : []
    })
    .reverse()
}

/** Confirms the newest change by the links of both addresses. */
export async function confirmBoth(app: TestApp, oldEmail: string, newEmail: string): Promise<void> {
  for (const to of [oldEmail, newEmail]) {
    const [token = 'none was mailed'] = emailTokens(app, 'email-change', to)
    await app.as(visitor).email.confirm({ token })
  }
}

/** A whole change of a person's e-mail. */
export async function changeEmail(
  app: TestApp,
  actor: SignedIn,
  newEmail: string,
  applicationsToo = false,
): Promise<void> {
  const oldEmail = emailOf(app, actor)
  await app.as(actor).email.start({ newEmail, applicationsToo })
  await confirmBoth(app, oldEmail, newEmail)
}

export const emailOf = ({ deps }: Deps, { userId }: SignedIn): string =>
  deps.db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()?.email ?? ''
