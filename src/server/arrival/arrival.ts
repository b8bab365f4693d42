import { desc, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import { arrivalSections, lockCodes } from '../../../db/schema.ts'
import {
  type ArrivalBody,
  type ArrivalSection,
  arrivalPictures,
  arrivalSectionNames,
  arrivalTexts,
  arrivalSections as shapes,
} from '../../domain/arrival/arrival.ts'
import { containsWord } from '../../domain/arrival/door-code.ts'
import { arrivalLabels, stayRefusals } from '../../domain/arrival/stay-messages.ts'
import { messagesSection } from '../../domain/arrival/stay-settings.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import type { Block } from '../../domain/content/content-blocks.ts'
import { wordingKinds, wordingLabels } from '../../domain/content/wording.ts'
import { messageRefusals } from '../../domain/conversations/message.ts'
import { quickRepliesSection } from '../../domain/conversations/quick-reply.ts'
import type { Deps } from '../kernel/deps.ts'
import { seal, unseal } from '../lib/sealed.ts'
import { readStoredBody } from '../site/content/versioned.ts'
import { wordingHistory } from '../site/content/wordings.ts'
import { readSection } from '../site/settings.ts'

export const arrivalSectionView = z.strictObject({
  version: z.int(),
  body: z.record(z.string(), z.unknown()),
  updatedAt: wireMoment.nullable(),
  updatedBy: z.string().nullable(),
})

export const arrivalVersionView = z.strictObject({
  version: z.int(),
  at: wireMoment,
  by: z.string(),
  body: z.record(z.string(), z.unknown()),
})

/** A stored body: the fields of its schema, and its texts as parsed when they were saved, by path (STAY-05). */
export type StoredBody = Record<string, unknown> & { blocks?: Record<string, Block[]> }

type Newest<Name extends ArrivalSection> = {
  version: number
  body: ArrivalBody<Name>
  blocks: Record<string, Block[]>
  passwordEnc: string | null
  at: string | null
  actorId: string | null
}

/** A section as it counts; version 0 and nothing in it until it is saved. */
export function newestSection<Name extends ArrivalSection>(db: Db, name: Name): Newest<Name> {
  const row = db
    .select()
    .from(arrivalSections)
    .where(eq(arrivalSections.section, name))
    .orderBy(desc(arrivalSections.version))
    .get()
  const empty = { version: 0, body: {}, passwordEnc: null, at: null, actorId: null }
  const found = row ?? empty
  const { blocks = {} } = found.body as StoredBody
  // Fields that came later have their defaults.
  return { ...found, blocks, body: shapes[name].parse(found.body) as ArrivalBody<Name> }
}

export const presentSection = (db: Db, name: ArrivalSection): z.output<typeof arrivalSectionView> => {
  const { actorId, at, body, version } = newestSection(db, name)
  return { version, body, updatedAt: at, updatedBy: actorId }
}

/** The pictures that guests see on arrival: they count as in use (STAY-05). */
export const picturesOnArrival = (db: Db): string[] =>
  arrivalSectionNames.flatMap(name => arrivalPictures(newestSection(db, name).body)).map(({ id }) => id)

/** All versions of a section, newest first (STAY-03). */
export const sectionVersions = (db: Db, name: ArrivalSection): z.output<typeof arrivalVersionView>[] =>
  db
    .select()
    .from(arrivalSections)
    .where(eq(arrivalSections.section, name))
    .orderBy(desc(arrivalSections.version))
    .limit(50)
    .all()
    .map(({ actorId, at, body, version }) => ({
      version,
      at,
      by: actorId,
      body: shapes[name].parse(body),
    }))

export type CodeRow = typeof lockCodes.$inferSelect
type Key = Pick<Deps, 'key'>

/** Encrypts a code or password for its row. @throws AppError unavailable with a damaged key */
export function sealSecret({ key }: Key, rowId: string, secret: string): string {
  if (key.state === 'ready') return seal(key.key, rowId, Buffer.from(secret))
  throw new AppError('unavailable', 'Codes cannot be saved at the moment: the site’s key is damaged.')
}

const open = ({ key }: Key, rowId: string, sealed: string | null): string | undefined =>
  sealed !== null && key.state === 'ready' ? unseal(key.key, rowId, sealed)?.toString('utf8') : undefined

/** A code in clear; undefined if the key that encrypted it is lost. */
export const readCode = (deps: Key, { codeEnc, id }: CodeRow): string | undefined => open(deps, id, codeEnc)

/** The Wi-Fi password; null without one, undefined if the key that encrypted it is lost. */
export function readPassword(deps: Key, db: Db): string | null | undefined {
  const { passwordEnc, version } = newestSection(db, 'wifi')
  return passwordEnc === null ? null : open(deps, `wifi:${version}`, passwordEnc)
}

export const liveCodes = (db: Db): CodeRow[] =>
  db.select().from(lockCodes).where(isNull(lockCodes.retiredAt)).all()

/** Whether the key is lost that encrypted a live code or the password. */
export const hasUnreadableSecret = (deps: Key, db: Db): boolean =>
  readPassword(deps, db) === undefined || liveCodes(db).some(code => readCode(deps, code) === undefined)

/** Whether a text contains a live code or the password. Always true while one of them cannot be decrypted (STAY-23). */
export const mayHaveSecret = (deps: Key, db: Db, text: string): boolean =>
  secretIn(deps, db, text) !== undefined || hasUnreadableSecret(deps, db)

/** A guest's words for a mail to the owner: those that may have a secret are left out (MSG-10). */
export const withoutSecrets = (deps: Key, db: Db, text: string): string =>
  mayHaveSecret(deps, db, text) ? messageRefusals.onSite : text

/** The sentence about a live code or the password in a text that others read; undefined without one (STAY-04). */
export function secretIn(deps: Key, db: Db, text: string): string | undefined {
  const has = (secret: string | null | undefined) => secret != null && containsWord(text, secret)
  const code = liveCodes(db).find(each => has(readCode(deps, each)))
  if (code) return stayRefusals.contains(`the code of ${code.lockName}`)
  return has(readPassword(deps, db)) ? stayRefusals.contains('the Wi-Fi password') : undefined
}

/** What the owner has typed that others read, with its place (STAY-04). */
export function typedTexts(db: Db): { place: string; text: string }[] {
  const areMessagesOn = readSection(db, messagesSection).body.enabled
  const bodies: [place: string, body: unknown][] = [
    ...arrivalSectionNames.map((name): [string, unknown] => [
      arrivalLabels[name],
      newestSection(db, name).body,
    ]),
    ...wordingKinds.map((kind): [string, unknown] => {
      const row = wordingHistory(kind).newest(db)
      return [wordingLabels[kind], row && readStoredBody(row)]
    }),
    [
      areMessagesOn ? 'Quick replies' : 'Quick replies, with messages switched on',
      readSection(db, quickRepliesSection).body,
    ],
  ]
  return bodies.flatMap(([place, body]) => arrivalTexts(body).map(({ text }) => ({ place, text })))
}

/** @throws AppError bad_request at the field for a new secret that stands in a text already (STAY-04) */
export function requireUnwritten(db: Db, field: 'code' | 'password', secret: string): void {
  const found = typedTexts(db).find(({ text }) => containsWord(text, secret))
  if (found) throw fieldError(field, stayRefusals.standsIn(field, found.place))
}
