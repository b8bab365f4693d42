import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import { accessLinks, applications, stayLinks } from '../../../db/schema.ts'
import { requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { stayMessages, stayRefusals } from '../../domain/arrival/stay-messages.ts'
import { AppError } from '../../domain/common/errors.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import { filled, lineField } from '../../domain/content/content-text.ts'
import { createLink, findLink, issueToken, markLinkUsed, revokeLinks } from '../auth/sessions/access-links.ts'
import { getSubmittedApplication, selectRecords } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { readStay, requireOn } from './records.ts'

const maxLinks = 8
export const guestForm = z.object({ name: filled(lineField(60)), withCode: z.boolean().default(false) })
export const guestView = z.strictObject({
  linkId: z.string(),
  name: z.string(),
  withCode: z.boolean(),
  createdAt: wireMoment,
  lastUsedAt: wireMoment.nullable(),
})

/** The guest links of a stay that are not removed, newest first. */
export function listLinks(db: Db, applicationId: string): z.output<typeof guestView>[] {
  const { createdAt, lastUsedAt, revokedAt, subjectId } = accessLinks
  return db
    .select({
      linkId: stayLinks.id,
      name: stayLinks.name,
      withCode: stayLinks.withCode,
      createdAt,
      lastUsedAt,
    })
    .from(stayLinks)
    .innerJoin(accessLinks, and(eq(accessLinks.kind, 'stay'), eq(subjectId, stayLinks.id), isNull(revokedAt)))
    .where(eq(stayLinks.applicationId, applicationId))
    .orderBy(desc(createdAt))
    .all()
}

/** Makes a link for somebody of the group; its address is answered once (STAY-26). @throws AppError not_found; conflict */
export function addLink(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  { name, withCode }: z.output<typeof guestForm>,
) {
  requireTenant(actor)
  return deps.write(tx => {
    const stay = readStay(deps, tx, getSubmittedApplication(tx, actor, applicationId))
    const { guestCodes, guestLinks } = requireOn(stay)
    const refusal =
      (!guestLinks && 'Links for guests are switched off here.') ||
      (withCode && !guestCodes && 'Codes are not given to guests here.') ||
      (stay.gate.state === 'closed' && stayMessages.over) ||
      (listLinks(tx, applicationId).length >= maxLinks && 'Eight links are out already.')
    if (refusal) throw new AppError('conflict', refusal)
    const [linkId, createdAt] = [randomUUID(), nowIso(deps)]
    tx.insert(stayLinks).values({ id: linkId, applicationId, name, withCode }).run()
    const { id } = createLink(tx, createdAt, { kind: 'stay', subjectId: linkId, personId: actor.userId })
    recordEvent(tx, createdAt, actor, 'stay.link_made', applicationId, { linkId, name, withCode })
    const guest = { linkId, name, withCode, createdAt, lastUsedAt: null }
    return { guest, url: `${deps.config.origin}/stay#${issueToken(tx, createdAt, id)?.token}` }
  })
}

/** Ends a link at once. @throws AppError not_found; conflict while off */
export function removeLink(deps: Deps, actor: SignedIn, applicationId: string, linkId: string) {
  return deps.write(tx => {
    requireOn(readStay(deps, tx, getSubmittedApplication(tx, actor, applicationId)))
    const link = listLinks(tx, applicationId).find(each => each.linkId === linkId)
    if (!link) throw new AppError('not_found', 'There is no such link.')
    const at = nowIso(deps)
    revokeLinks(tx, at, 'stay', { subjectId: linkId })
    recordEvent(tx, at, actor, 'stay.link_removed', applicationId, { linkId, name: link.name })
    return { message: 'Link removed' }
  })
}

/** The stay of a guest link. Changes nothing. @throws AppError not_found, the same for every link that opens nothing (STAY-27) */
export function openLink(deps: Deps, db: Db, token: string) {
  const access = findLink(db, nowIso(deps), 'stay', token)
  const link = access && db.select().from(stayLinks).where(eq(stayLinks.id, access.subjectId)).get()
  const record = link && selectRecords(db).where(eq(applications.id, link.applicationId)).get()
  const stay = record && readStay(deps, db, record)
  const { enabled, guestCodes, guestLinks } = stay?.moment.settings ?? {}
  if (!stay || !link || !access || !enabled || !guestLinks || stay.gate.state === 'closed')
    throw new AppError('not_found', stayRefusals.invalidLink)
  return { access, link, stay, mayShow: link.withCode && guestCodes === true }
}

const noteUseMs = 3_600_000

/** Notes that a link is used, at most hourly, because its page asks every half minute. @throws AppError not_found */
export async function noteUse(deps: Deps, token: string): Promise<void> {
  const { access, stay } = openLink(deps, deps.db, token)
  if (stay.moment.now.getTime() - Date.parse(access.lastUsedAt ?? '1970-01-01') > noteUseMs)
    await deps.write(tx => markLinkUsed(tx, nowIso(deps), access.id))
}
