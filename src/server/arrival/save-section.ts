import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../db/open.ts'
import { arrivalSections, pictures } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import {
  type ArrivalBody,
  type ArrivalSection,
  arrivalPictures,
  arrivalTexts,
  isArrivalSection,
  arrivalSections as shapes,
} from '../../domain/arrival/arrival.ts'
import {
  containsWord,
  isWifiPassword,
  noPasswordMessage,
  passwordMessage,
  unreadableMessage,
} from '../../domain/arrival/door-code.ts'
import { stayRefusals } from '../../domain/arrival/stay-messages.ts'
import { AppError, type FieldErrors, fieldError } from '../../domain/common/errors.ts'
import { linkMessage } from '../../domain/content/content-blocks.ts'
import { markdownLimitError } from '../../domain/content/content-errors.ts'
import { contentMessages, parseContent } from '../../domain/content/content-text.ts'
import { mailConnectionChange } from '../auth/accounts/report-change.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { tooSlow } from '../site/content/parsed-texts.ts'
import { shippedPictures } from '../site/content/pictures.ts'
import {
  newestSection,
  presentSection,
  readPassword,
  requireUnwritten,
  type StoredBody,
  sealSecret,
  secretIn,
} from './arrival.ts'
import { retireCodesWithoutLock } from './codes.ts'

export const sectionSave = z.object({
  section: z.string().max(100),
  version: z.int().min(0),
  body: z.unknown(),
  /** Of the Wi-Fi. */
  password: z.string().max(200).nullish(),
})

/**
 * Saves a whole section, which counts at once (STAY-03). Without `password` the Wi-Fi password stays. `answer` runs in the
 * same write.
 * @throws AppError forbidden without a step-up; not_found; bad_request by path within the section; conflict with the stored section for another
 * version; unavailable with a damaged key
 */
export async function saveArrivalSection<Answer>(
  deps: Deps,
  actor: Admin,
  { password, section, ...save }: z.output<typeof sectionSave>,
  answer: (tx: Tx, name: ArrivalSection) => Answer,
): Promise<Answer> {
  // The answer to a text tells whether it has a code.
  requireStepUp(deps, deps.db, actor)
  const name = requireSection(section)
  const { body, fields } = parseContent<z.ZodType<object>>(shapes[name], save.body)
  if (fields !== undefined) throw invalid(fields)
  const blocks = await parseTexts(deps, body)
  return deps.write(tx => {
    const before = newestSection(tx, name)
    if (before.version !== save.version)
      throw new AppError('conflict', stayRefusals.stale, { current: presentSection(tx, name) })
    const version = before.version + 1
    const { network, security } = body as Partial<ArrivalBody<'wifi'>>
    const isSecured = security === 'wpa'
    if (security === 'open' && typeof password === 'string') throw fieldError('password', noPasswordMessage)
    if (isSecured && typeof password === 'string' && !isWifiPassword(password))
      throw fieldError('password', passwordMessage)
    const secret = isSecured ? (password === undefined ? readPassword(deps, tx) : password) : null
    if (isSecured && secret === null && network !== '') throw fieldError('password', passwordMessage)
    // Saved without it, the password would be lost for good.
    if (isSecured && secret === undefined) throw fieldError('password', unreadableMessage)
    for (const { path, text } of arrivalTexts(body)) {
      const isPassword = secret != null && containsWord(text, secret)
      const found = isPassword ? stayRefusals.contains('the Wi-Fi password') : secretIn(deps, tx, text)
      if (found) throw fieldError(path, found)
    }
    for (const { id, path } of arrivalPictures(body))
      if (!shippedPictures.has(id) && !tx.select().from(pictures).where(isUpload(id)).get())
        throw fieldError(path, contentMessages.noSuchPicture)
    const at = nowIso(deps)
    const passwordEnc = secret ? sealSecret(deps, `wifi:${version}`, secret) : null
    tx.insert(arrivalSections)
      .values({ section: name, version, body: { ...body, blocks }, passwordEnc, at, actorId: actor.userId })
      .run()
    if (secret && typeof password === 'string') requireUnwritten(tx, 'password', secret)
    if (name === 'entry') retireCodesWithoutLock(tx, at)
    if (name === 'contacts' || name === 'welcome')
      mailConnectionChange(deps, tx, actor, 'The arrival information for guests')
    recordEvent(tx, at, actor, 'stay.arrival_saved', name, { version })
    return answer(tx, name)
  })
}

const isUpload = (id: string) => and(eq(pictures.id, id), isNull(pictures.removedAt))

/** Parses the texts as limited Markdown, in the worker (STAY-05). @throws AppError bad_request by path */
async function parseTexts({ markdownParser }: Deps, body: object): Promise<StoredBody['blocks']> {
  const blocks: StoredBody['blocks'] = {}
  for (const { path, text } of arrivalTexts(body)) {
    if (!/(^|\.)text$/.test(path) || text === '') continue
    const limit = markdownLimitError(text)
    const parsed = limit === undefined ? await markdownParser.parse(text) : undefined
    if (!parsed) throw fieldError(path, limit ?? tooSlow)
    if (parsed.refusedLinks.length > 0) throw fieldError(path, linkMessage)
    blocks[path] = parsed.blocks
  }
  return blocks
}

function requireSection(name: string): ArrivalSection {
  if (!isArrivalSection(name)) throw new AppError('not_found', 'There is no such part.')
  return name
}

const invalid = (fields: FieldErrors) =>
  new AppError('bad_request', Object.values(fields)[0] ?? contentMessages.invalid, { fields })
