import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { users, wordings } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  isWordingKind,
  mailPlaceholders,
  versionPageSize,
  type WordingKind,
  type WordingPlaceholder,
  wordingKinds,
  wordingLabels,
} from '../../../domain/content/wording.ts'
import type { LeaseData } from '../../../domain/leases/lease-text.ts'
import { leaseWordingPlaceholders, sampleLease } from '../../../domain/leases/lease-wording.ts'
import type { Deps } from '../../kernel/deps.ts'
import { currentSite } from '../content/published.ts'
import {
  bodyOfWording,
  newestWording,
  parseWording,
  shippedWording,
  type WordingBody,
  type WordingRow,
} from '../content/wordings.ts'
import type { WordingSummary, WordingVersionView, WordingView } from './views.ts'

/** @throws AppError not_found for a kind that cannot be changed */
export function requireKind(kind: string): WordingKind {
  if (!isWordingKind(kind)) throw new AppError('not_found', 'This wording does not exist.')
  return kind
}

/** Every wording that can be changed, with who changed it last. */
export function listWordings({ db }: Deps): WordingSummary[] {
  return wordingKinds.map(kind => summaryOf(db, kind, newestWording(db, kind)))
}

/** The newest wording of a kind. @throws AppError not_found for a kind that cannot be changed */
export function readWording(deps: Deps, kind: string): WordingView {
  return presentWording(deps, deps.db, requireKind(kind))
}

/** The newest wording of a kind, also in a transaction. Shows the shipped body if the stored one is unreadable. */
export function presentWording(deps: Deps, db: Db | Tx, kind: WordingKind): WordingView {
  const row = newestWording(db, kind)
  return {
    ...summaryOf(db, kind, row),
    body: bodyOfWording(kind, row) ?? shippedWording(kind),
    placeholders: placeholdersOf(deps, kind),
    note: row?.note ?? '',
  }
}

/**
 * A page of the versions of a wording, newest first, without their bodies (FIX-35).
 * @throws AppError not_found for a kind that cannot be changed
 */
export function listWordingVersions(
  { db }: Deps,
  { kind, page }: { kind: string; page: number },
): { versions: WordingVersionView[]; total: number } {
  const ofKind = eq(wordings.kind, requireKind(kind))
  const rows = db
    .select(header)
    .from(wordings)
    .where(ofKind)
    .orderBy(desc(wordings.version))
    .limit(versionPageSize)
    .offset((page - 1) * versionPageSize)
    .all()
  const counted = db.select({ total: count() }).from(wordings).where(ofKind).get()
  return { versions: rows.map(row => toVersionView(db, row)), total: counted?.total ?? 0 }
}

/**
 * A version of a wording with its body.
 * @throws AppError not_found for a kind that cannot be changed, an unknown version and an unreadable one
 */
export function readWordingVersion(
  { db }: Deps,
  { kind, version }: { kind: string; version: number },
): { version: WordingVersionView; body: Record<string, string> } {
  const ofVersion = and(eq(wordings.kind, requireKind(kind)), eq(wordings.version, version))
  const row = db
    .select({ ...header, kind: wordings.kind, body: wordings.body, sha256: wordings.sha256 })
    .from(wordings)
    .where(ofVersion)
    .get()
  if (!row) throw new AppError('not_found', 'There is no such version.')
  const body = bodyOfWording(row.kind, row)
  if (!body) throw new AppError('not_found', 'This version could not be read.')
  return { version: toVersionView(db, row), body }
}

/** A version without its body. */
const header = {
  version: wordings.version,
  at: wordings.at,
  actorId: wordings.actorId,
  note: wordings.note,
  shipped: sql<number>`${wordings.body} is null`,
}
type Header = Pick<WordingRow, 'version' | 'at' | 'actorId' | 'note'> & { shipped: number }

function toVersionView(db: Db, { actorId, at, note, shipped, version }: Header): WordingVersionView {
  return { version, at, by: personOf(db, actorId), note, shipped: shipped === 1 }
}

function summaryOf(db: Db | Tx, kind: WordingKind, row: WordingRow | undefined): WordingSummary {
  return {
    kind,
    label: wordingLabels[kind],
    version: row?.version ?? 0,
    shipped: (row?.body ?? null) === null,
    at: row?.at ?? null,
    by: row ? personOf(db, row.actorId) : null,
  }
}

function placeholdersOf(deps: Deps, kind: WordingKind): WordingPlaceholder[] {
  return kind === 'lease'
    ? leaseWordingPlaceholders(sampleLeaseOf(deps))
    : mailPlaceholders(kind, siteNames(deps))
}

function siteNames(deps: Deps) {
  const { companyName, ownerEmail, ownerPhone, propertyName } = currentSite(deps)
  return { companyName, propertyName, ownerEmail, ownerPhone }
}

/** Who saved a version: their name, or their e-mail if they have no name. */
function personOf(db: Db | Tx, id: string) {
  const { firstName, lastName, email } = users
  const person = db.select({ firstName, lastName, email }).from(users).where(eq(users.id, id)).get()
  return { id, name: `${person?.firstName ?? ''} ${person?.lastName ?? ''}`.trim() || (person?.email ?? '') }
}

/** A lease of this property with a fictional tenant. */
export function sampleLeaseOf(deps: Deps): LeaseData {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = currentSite(deps)
  const { facts, houseRules } = deps.siteContent().content
  return {
    ...sampleLease,
    landlordName: companyName,
    landlordEmail: ownerEmail,
    landlordPhone: ownerPhone,
    propertyName,
    propertyAddress,
    guestLimit: facts.sleeps,
    houseRules: houseRules.rules,
  }
}

/** Validates and cleans a submitted wording. @throws AppError bad_request with all errors, by field */
export function validateWording<Kind extends WordingKind>(kind: Kind, given: unknown): WordingBody<Kind> {
  const { body, fields } = parseWording(kind, given)
  if (fields === undefined) return body
  throw new AppError('bad_request', Object.values(fields)[0] ?? '', { fields })
}
