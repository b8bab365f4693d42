import type { Db } from '../../../../db/open.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { mailPlaceholders } from '../../../domain/content/mail-wording.ts'
import {
  isWordingKind,
  type WordingKind,
  type WordingPlaceholder,
  wordingKinds,
  wordingLabels,
} from '../../../domain/content/wording.ts'
import type { AddendumData } from '../../../domain/leases/addendum-text.ts'
import { addendumWordingPlaceholders, sampleAddendum } from '../../../domain/leases/addendum-wording.ts'
import type { LeaseData } from '../../../domain/leases/lease-text.ts'
import { leaseWordingPlaceholders, sampleLease } from '../../../domain/leases/lease-wording.ts'
import type { Deps } from '../../kernel/deps.ts'
import { currentSite } from '../content/published.ts'
import { readPeople } from '../content/versioned.ts'
import {
  bodyOfWording,
  parseWording,
  shippedWording,
  type WordingBody,
  type WordingRow,
  wordingHistory,
} from '../content/wordings.ts'
import type { WordingSummary, WordingVersionView, WordingView } from './views.ts'

/** @throws AppError not_found for a kind that cannot be changed */
export function requireKind(kind: string): WordingKind {
  if (!isWordingKind(kind)) throw new AppError('not_found', 'This wording does not exist.')
  return kind
}

/** Every wording that can be changed, with who changed it last. */
export function listWordings({ db }: Deps): WordingSummary[] {
  return wordingKinds.map(kind => summaryOf(db, kind, wordingHistory(kind).newest(db)))
}

/** The newest wording of a kind. @throws AppError not_found for a kind that cannot be changed */
export function readWording(deps: Deps, kind: string): WordingView {
  return presentWording(deps, deps.db, requireKind(kind))
}

/** The newest wording of a kind, also in a transaction. Shows the shipped body if the stored one is unreadable. */
export function presentWording(deps: Deps, db: Db, kind: WordingKind): WordingView {
  const row = wordingHistory(kind).newest(db)
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
  const { rows, total } = wordingHistory(requireKind(kind)).page(db, page)
  return { versions: rows.map(row => toVersionView(db, row)), total }
}

/**
 * A version of a wording with its body.
 * @throws AppError not_found for a kind that cannot be changed, an unknown version and an unreadable one
 */
export function readWordingVersion(
  { db }: Deps,
  { kind, version }: { kind: string; version: number },
): { version: WordingVersionView; body: Record<string, string> } {
  const row = wordingHistory(requireKind(kind)).find(db, version)
  if (!row) throw new AppError('not_found', 'There is no such version.')
  const body = bodyOfWording(row.kind, row)
  if (!body) throw new AppError('not_found', 'This version could not be read.')
  return { version: toVersionView(db, row), body }
}

function toVersionView(db: Db, row: WordingRow): WordingVersionView {
  const { at, note, version } = row
  return { version, at, by: saverOf(db, row), note, shipped: row.body === null }
}

const saverOf = (db: Db, { actorId }: WordingRow) => readPeople(db, [actorId]).get(actorId) ?? null

function summaryOf(db: Db, kind: WordingKind, row: WordingRow | undefined): WordingSummary {
  return {
    kind,
    label: wordingLabels[kind],
    version: row?.version ?? 0,
    shipped: (row?.body ?? null) === null,
    at: row?.at ?? null,
    by: row ? saverOf(db, row) : null,
  }
}

function placeholdersOf(deps: Deps, kind: WordingKind): WordingPlaceholder[] {
  if (kind === 'addendum') return addendumWordingPlaceholders(sampleAddendumOf(deps))
  return kind === 'lease'
    ? leaseWordingPlaceholders(sampleLeaseOf(deps))
    : mailPlaceholders(kind, siteNames(deps))
}

function siteNames(deps: Deps) {
  const { companyName, ownerEmail, ownerPhone, propertyName } = currentSite(deps)
  return { companyName, propertyName, ownerEmail, ownerPhone }
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

/** An addendum to that lease. */
export const sampleAddendumOf = (deps: Deps): AddendumData => {
  const { landlordName, propertyAddress, propertyName } = sampleLeaseOf(deps)
  return { ...sampleAddendum, landlordName, propertyName, propertyAddress }
}

/** Validates and cleans a submitted wording. @throws AppError bad_request with all errors, by field */
export function validateWording<Kind extends WordingKind>(kind: Kind, given: unknown): WordingBody<Kind> {
  const { body, fields } = parseWording(kind, given)
  if (fields === undefined) return body
  throw new AppError('bad_request', Object.values(fields)[0] ?? '', { fields })
}
