import { eq } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { lockCodes } from '../../../db/schema.ts'
import { type Admin, type Guest, requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { wifiQrText } from '../../domain/arrival/door-code.ts'
import { stayMessages, stayRefusals } from '../../domain/arrival/stay-messages.ts'
import { AppError } from '../../domain/common/errors.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { getSubmittedApplication } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'
import { newestSection, readCode, readPassword } from './arrival.ts'
import { listLocks, liveCodeOf, shownEvent } from './codes.ts'
import { setGate } from './gate.ts'
import { openLink } from './links.ts'
import { isOpenByHandOnly, readStay, requireOn } from './records.ts'

export const codeView = z.strictObject({
  lockId: z.string(),
  name: z.string(),
  code: z.string(),
  codesVersion: z.int(),
})
export const wifiView = z.strictObject({
  network: z.string(),
  security: z.enum(['wpa', 'open']),
  password: z.string().nullable(),
  qrSvg: z.string(),
})

/** Increases when a code changes, so that open pages hide the old one (STAY-20). */
export const codesVersion = (db: Db, applicationId: string): number =>
  db
    .select()
    .from(lockCodes)
    .all()
    .filter(code => code.applicationId === '' || code.applicationId === applicationId)
    .reduce((sum, { retiredAt }) => sum + (retiredAt === null ? 1 : 2), 0)

type Asking = { actor: SignedIn; applicationId: string }
/** Who asks: the tenant of a stay, or somebody of the group by a link. */
export type Viewer = Asking | { actor: Guest | SignedIn; token: string }

/**
 * Runs a show: a write, so that it excludes a decline at the same time (STAY-15, STAY-19).
 * @throws AppError forbidden for the owner and a link without codes; not_found; conflict while off or not open
 */
async function show<Shown>(
  deps: Deps,
  viewer: Viewer,
  read: (tx: Tx, applicationId: string) => { shown: Shown; lock: string; codeId?: string },
): Promise<Shown> {
  const viewerId =
    'token' in viewer ? openLink(deps, deps.db, viewer.token).link.id : requireTenant(viewer.actor).userId
  await deps.limits.consume('stayCodeByViewer', viewerId)
  // A tenant's are counted with their other writes. Each show stays in the audit log.
  if ('token' in viewer) await deps.limits.consume('writeByTenantAndDay', viewerId)
  return deps.write(tx => {
    const { link, mayShow, stay } =
      'token' in viewer ? openLink(deps, tx, viewer.token) : { ...ownStay(deps, tx, viewer), mayShow: true }
    requireOn(stay)
    if (!mayShow) throw new AppError('forbidden', stayMessages.notForGuest)
    if (stay.gate.state !== 'open') throw new AppError('conflict', stayMessages.notOpen)
    const { id } = stay.record.application
    const { shown, ...detail } = read(tx, id)
    const at = nowIso(deps)
    // It has been open, also if the next tick has not come yet.
    if (!isOpenByHandOnly(stay)) setGate(tx, id, { openedAt: stay.row?.openedAt ?? at })
    // A link speaks for a guest, whoever is logged in.
    const { requestOrigin } = viewer.actor
    const actor = link ? ({ role: 'guest', requestOrigin } as const) : viewer.actor
    recordEvent(tx, at, actor, shownEvent, id, { ...detail, ...(link && { guest: link.name }) })
    return shown
  })
}

const ownStay = (deps: Deps, tx: Tx, { actor, applicationId }: Asking) => ({
  link: undefined,
  stay: readStay(deps, tx, getSubmittedApplication(tx, actor, applicationId)),
})

/** Shows the code of a lock (STAY-19, STAY-21). @throws AppError as `show`; conflict for one that is not set or readable */
export const showCode = (deps: Deps, viewer: Viewer, lockId: string) =>
  show(deps, viewer, (tx, id) => {
    const lock = listLocks(tx).find(each => each.id === lockId)
    if (!lock) throw new AppError('not_found', 'There is no such lock.')
    const row = liveCodeOf(tx, lock, id)
    if (!row?.setAt) throw new AppError('conflict', stayMessages.codeNotSet)
    const code = readable(deps, readCode(deps, row))
    const firstShownAt = row.firstShownAt ?? nowIso(deps)
    tx.update(lockCodes).set({ firstShownAt }).where(eq(lockCodes.id, row.id)).run()
    const shown = { lockId, name: lock.name, code, codesVersion: codesVersion(tx, id) }
    return { shown, lock: lock.name, codeId: row.id }
  })

/** Shows the Wi-Fi (STAY-24). @throws AppError as `show`; not_found without a network; conflict if it is not readable */
export const showWifi = (deps: Deps, viewer: Viewer) =>
  show(deps, viewer, tx => {
    const { network, security } = newestSection(tx, 'wifi').body
    if (network === '') throw new AppError('not_found', 'There is no Wi-Fi here.')
    const password = readable(deps, readPassword(deps, tx))
    const shown = { network, security, password, qrSvg: renderSVG(wifiQrText(network, password)) }
    return { shown, lock: 'Wi-Fi' }
  })

/** Shows the owner a code that is live or still at the lock. @throws AppError forbidden without a step-up; not_found; conflict */
export const showOwnerCode = (deps: Deps, actor: Admin, codeId: string) =>
  deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = tx.select().from(lockCodes).where(eq(lockCodes.id, codeId)).get()
    if (!row || (row.retiredAt !== null && row.removedAt !== null))
      throw new AppError('not_found', 'There is no such code.')
    const { applicationId, lockId, lockName } = row
    const code = readable(deps, readCode(deps, row))
    const detail = { lock: lockName, codeId }
    recordEvent(tx, nowIso(deps), actor, shownEvent, applicationId || lockId, detail)
    return { lockId, name: lockName, code, codesVersion: codesVersion(tx, applicationId) }
  })

/** @throws AppError conflict for a secret whose key is lost (STAY-23) */
function readable<Secret extends string | null>(deps: Deps, secret: Secret | undefined): Secret {
  if (secret !== undefined) return secret
  throw new AppError('conflict', stayRefusals.unreadable(currentSite(deps).ownerEmail))
}
