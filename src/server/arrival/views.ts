import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import { events } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { describeBrowser } from '../../domain/accounts/user-agent.ts'
import {
  arrivalPictures,
  arrivalSectionNames,
  arrivalSections,
  arrivalTexts,
} from '../../domain/arrival/arrival.ts'
import { gateStates, missingKinds } from '../../domain/arrival/stay-gate.ts'
import { checkOutAt } from '../../domain/arrival/stay-settings.ts'
import { nightsBetween } from '../../domain/common/dates.ts'
import { wireDate, wireMoment } from '../../domain/common/wire.ts'
import { blockView } from '../../domain/content/content-blocks.ts'
import { pictureView } from '../../domain/content/content-views.ts'
import { bookedStayOf, getApplicationRecord } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { readPictures } from '../site/content/pictures.ts'
import { currentSite } from '../site/content/published.ts'
import { literalBlocks } from '../workers/parse-markdown.ts'
import { arrivalSectionView, newestSection, presentSection, readPassword } from './arrival.ts'
import { listLocks, liveCodeOf, lockView, presentLocks, shownEvent } from './codes.ts'
import { guestView, listLinks, openLink } from './links.ts'
import {
  guestNameOf,
  lastHold,
  laterDays,
  nextArrival,
  readStay,
  type Stay,
  wasOpenedByHand,
} from './records.ts'
import { codesVersion } from './show.ts'

const shownLock = { lockId: z.string(), name: z.string(), hint: z.string(), ready: z.boolean() }

/** A stay as its guests see it: never a code or password (STAY-18). */
export const stayView = z.strictObject({
  applicationId: z.string(),
  applicationNumber: z.string(),
  firstName: z.string(),
  propertyName: z.string(),
  startDate: wireDate,
  endDate: wireDate,
  nights: z.int(),
  checkInAt: wireMoment,
  checkOutAt: wireMoment,
  gate: z.strictObject({
    state: z.enum(gateStates),
    opensAt: wireMoment,
    closesAt: wireMoment,
    hold: z.enum(['open', 'closed']).nullable(),
    missing: z.array(z.strictObject({ kind: z.enum(missingKinds), text: z.string(), path: z.string() })),
  }),
  sections: z.object(arrivalSections).partial(),
  /** The texts of the sections as laid out, by path: `manual.entries.0.text`. */
  blocks: z.record(z.string(), z.array(blockView)),
  pictures: z.record(z.string(), pictureView),
  locks: z.array(z.strictObject(shownLock)),
  /** Whether there is a Wi-Fi password to show; false while the stay is not open. */
  hasWifiPassword: z.boolean(),
  codesVersion: z.int(),
  /** The links for the group; and whether the tenant may make one, and one with codes. */
  guests: z.array(guestView),
  canShare: z.boolean(),
  canGiveCodes: z.boolean(),
})
export type StayView = z.output<typeof stayView>

/** What a guest's link shows: no number, money or other link (STAY-26). */
export const openedStayView = z.strictObject({
  stay: stayView.omit({
    applicationId: true,
    applicationNumber: true,
    guests: true,
    canShare: true,
    canGiveCodes: true,
  }),
  viewer: z.strictObject({ kind: z.literal('guest'), name: z.string(), mayShow: z.boolean() }),
})

export const adminStayView = z.strictObject({
  stay: stayView,
  guestName: z.string(),
  /**
   * `until`: when a stay closes that was extended by hand. `by`: the administrator's id. `automatic`: the gate's state
   * without this decision.
   */
  hold: z
    .strictObject({
      hold: z.enum(['open', 'closed']),
      until: wireMoment.nullable(),
      reason: z.string(),
      at: wireMoment,
      by: z.string().nullable(),
      automatic: z.enum(gateStates),
    })
    .nullable(),
  /** The first and last day to which the stay can be extended, or null if none is left; `isNeeded`: the booked stay is over, so a day is required. */
  later: z.strictObject({ first: wireDate, last: wireDate, isNeeded: z.boolean() }).nullable(),
  /** The next guest to arrive within the days by which this stay can be extended. */
  next: z.strictObject({ guestName: z.string(), at: wireMoment }).nullable(),
  /** Who saw a code or the Wi-Fi, newest first; `name` is that of a guest’s link. */
  shown: z.array(
    z.strictObject({
      id: z.int(),
      at: wireMoment,
      lockName: z.string(),
      who: z.enum(['owner', 'tenant', 'guest']),
      name: z.string(),
      browser: z.string(),
      address: z.string(),
    }),
  ),
  locks: z.array(lockView),
})
export const arrivalView = z.strictObject({
  sections: z.record(z.string(), arrivalSectionView),
  locks: z.array(lockView),
  wifi: z.strictObject({ hasPassword: z.boolean(), readable: z.boolean() }),
})

/** The tenant's stay, or null while there is nothing to see (STAY-01). @throws AppError not_found */
export function tenantStay(deps: Deps, actor: SignedIn, applicationId: string): StayView | null {
  const stay = readStay(deps, deps.db, getApplicationRecord(deps.db, actor, applicationId))
  const wasOpen = (stay.row?.openedAt ?? null) !== null || wasOpenedByHand(deps.db, applicationId)
  const isShown = stay.isBooked || wasOpen
  if (!stay.moment.settings.enabled || !isShown) return null
  return presentStay(deps, stay, actor.role === 'admin')
}

export function presentStay(deps: Deps, stay: Stay, isOwner = false): StayView {
  const { gate, missing, record, row } = stay
  const { settings } = stay.moment
  const { firstName, id, number, stayEndDate, stayStartDate } = record.application
  const isOpen = gate.state === 'open' || isOwner
  return {
    applicationId: id,
    applicationNumber: number,
    firstName,
    propertyName: currentSite(deps).propertyName,
    startDate: stayStartDate,
    endDate: stayEndDate,
    nights: nightsBetween(stayStartDate, stayEndDate),
    checkInAt: gate.checkInAt.toISOString(),
    checkOutAt: gate.checkOutAt.toISOString(),
    gate: {
      state: gate.state,
      opensAt: gate.opensAt.toISOString(),
      closesAt: gate.checkOutAt.toISOString(),
      hold: row?.hold ?? null,
      missing:
        gate.state === 'locked' || (isOwner && (gate.state === 'open' || stay.automatic === 'locked'))
          ? missing.map(({ kind, ownersText, path, text }) => ({
              kind,
              text: isOwner ? ownersText : text,
              path,
            }))
          : [],
    },
    ...shownSections(deps, isOpen ? 'open' : gate.state === 'closed' ? 'over' : 'booked'),
    locks: (isOpen ? listLocks(deps.db) : []).map(lock => {
      const ready = Boolean(liveCodeOf(deps.db, lock, id)?.setAt)
      return { lockId: lock.id, name: lock.name, hint: lock.hint, ready }
    }),
    hasWifiPassword: isOpen && readPassword(deps, deps.db) !== null,
    codesVersion: codesVersion(deps.db, id),
    guests: listLinks(deps.db, id),
    canShare: settings.guestLinks && gate.state !== 'closed' && !isOwner,
    canGiveCodes: settings.guestCodes,
  }
}

/** What a guest's link shows. @throws AppError not_found */
export function stayByLink(deps: Deps, token: string): z.output<typeof openedStayView> {
  const { link, mayShow, stay } = openLink(deps, deps.db, token)
  const shown = presentStay(deps, stay)
  const gate = { ...shown.gate, hold: null, missing: [] }
  const { applicationId, applicationNumber, guests, canShare, canGiveCodes, ...rest } = shown
  return {
    stay: { ...rest, gate },
    viewer: { kind: 'guest', name: link.name, mayShow },
  }
}

/** What is filled in and shows now; after the stay, the contacts alone (STAY-12, STAY-30). */
function shownSections(deps: Deps, when: 'booked' | 'open' | 'over') {
  const { propertyAddress } = currentSite(deps)
  const pictures = readPictures(deps.db)
  const found = arrivalSectionNames.flatMap(name => {
    const { blocks, body } = newestSection(deps.db, name)
    if (when === 'over' ? name !== 'contacts' : when === 'booked' && body.from === 'open') return []
    const filled = {
      ...body,
      ...('address' in body && { address: body.address || propertyAddress }),
      // They stand beside, with what is ready.
      ...('locks' in body && { locks: [] }),
    }
    const texts = arrivalTexts(filled).filter(({ text }) => text !== '')
    return texts.length > 0 ? { name, filled, texts, blocks } : []
  })
  return {
    sections: Object.fromEntries(found.map(({ filled, name }) => [name, filled])),
    blocks: Object.fromEntries(
      found.flatMap(({ blocks, name, texts }) =>
        texts.map(({ path, text }) => [`${name}.${path}`, blocks[path] ?? literalBlocks(text)]),
      ),
    ),
    pictures: Object.fromEntries(
      found.flatMap(({ filled }) => arrivalPictures(filled)).map(({ id }) => [id, pictures.page(id)]),
    ),
  }
}

/** The owner's view of a stay: all of it, its locks, and the hold. @throws AppError not_found */
export function ownerStay(deps: Deps, actor: Admin, applicationId: string): z.output<typeof adminStayView> {
  const stay = readStay(deps, deps.db, getApplicationRecord(deps.db, actor, applicationId))
  const { hold = null, holdAt, holdReason, holdUntil } = stay.row ?? {}
  const next = nextArrival(deps.db, stay)
  const booked = bookedStayOf(stay.record.application)
  const days = laterDays(booked, stay.moment)
  const [first, last] = [days[0], days.at(-1)]
  const leaves = checkOutAt({ endDate: booked.end }, stay.moment.settings, stay.moment.timeZone)
  return {
    stay: presentStay(deps, stay, true),
    guestName: guestNameOf(stay.record),
    locks: presentLocks(deps.db, applicationId),
    shown: showsOf(deps.db, applicationId),
    later: first && last ? { first, last, isNeeded: leaves <= stay.moment.now } : null,
    next: next ? { ...next, at: next.at.toISOString() } : null,
    hold: hold && {
      hold,
      until: holdUntil ? stay.gate.checkOutAt.toISOString() : null,
      reason: holdReason ?? '',
      at: holdAt ?? '',
      by: lastHold(deps.db, applicationId)?.actorId ?? null,
      automatic: stay.automatic,
    },
  }
}

const showsOf = (db: Db, applicationId: string) =>
  db
    .select()
    .from(events)
    .where(and(eq(events.subjectId, applicationId), eq(events.kind, shownEvent)))
    .orderBy(desc(events.id))
    .limit(50)
    .all()
    .map(({ actorRole, address, at, detail: { guest, lock }, id, userAgent }) => ({
      id,
      at,
      lockName: String(lock),
      who:
        actorRole === 'admin'
          ? ('owner' as const)
          : guest === undefined
            ? ('tenant' as const)
            : ('guest' as const),
      name: String(guest ?? ''),
      browser: describeBrowser(userAgent ?? ''),
      address: address ?? '',
    }))

export const previewForm = z.object({
  applicationId: z.string().max(100),
  moment: z.enum(['now', 'open', 'day', 'after']),
})

/** The page of a guest as it is now, or as it will be; no secret, and nothing changes (STAY-06). @throws AppError not_found */
export function previewStay(
  deps: Deps,
  actor: Admin,
  { applicationId, moment }: z.output<typeof previewForm>,
): StayView {
  const stay = readStay(deps, deps.db, getApplicationRecord(deps.db, actor, applicationId))
  const state = moment === 'now' ? stay.gate.state : moment === 'after' ? 'closed' : 'open'
  return presentStay(deps, { ...stay, gate: { ...stay.gate, state } })
}

/** Everything that the owner wrote, and the locks; no secret. */
export function readArrival(deps: Deps): z.output<typeof arrivalView> {
  const password = readPassword(deps, deps.db)
  return {
    sections: Object.fromEntries(arrivalSectionNames.map(name => [name, presentSection(deps.db, name)])),
    locks: presentLocks(deps.db),
    wifi: { hasPassword: password !== null, readable: password !== undefined },
  }
}
