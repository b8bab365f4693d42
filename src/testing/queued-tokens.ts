import type { Tx } from '../../db/open.ts'
import { issueToken } from '../server/auth/sessions/access-links.ts'
import type { MailKind } from '../server/mail/outbox.ts'
import type { TestApp } from './test-app.ts'

type Deps = Pick<TestApp, 'deps'>

const issued = new WeakMap<TestApp['deps'], Map<string, string>>()

/**
 * The tokens that delivery would make for the links of the queued mails of these kinds, newest first; a link keeps the
 * token that it got first. Links that have ended have none.
 */
export function queuedTokens({ deps }: Deps, kinds: MailKind[], to?: string): string[] {
  const known = issued.get(deps) ?? new Map<string, string>()
  issued.set(deps, known)
  const tokenOf = (linkId: string) => {
    const at = deps.clock.now().toISOString()
    const token = known.get(linkId) ?? issueToken(deps.db as unknown as Tx, at, linkId)?.token
    if (token) known.set(linkId, token)
    return token ?? []
  }
  return deps.db.query.outbox
    .findMany()
    .sync()
    .filter(({ kind, toAddress }) => kinds.some(one => one === kind) && (!to || toAddress === to))
    .flatMap(({ props }) => props.linkId ?? props.undoLinkId ?? [])
    .flatMap(linkId => tokenOf(String(linkId)))
    .reverse()
}
