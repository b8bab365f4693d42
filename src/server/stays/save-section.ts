import { z } from 'zod'
import { arrivalSections } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError, type FieldErrors, fieldError } from '../../domain/common/errors.ts'
import { contentMessages, parseContent } from '../../domain/content/content-text.ts'
import {
  type ArrivalSection,
  arrivalTexts,
  isArrivalSection,
  arrivalSections as shapes,
} from '../../domain/stays/arrival.ts'
import { containsWord, isWifiPassword, passwordMessage } from '../../domain/stays/door-code.ts'
import { stayMessages } from '../../domain/stays/stay-messages.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { newestSection, presentSection, readPassword, sealSecret, secretIn } from './arrival.ts'
import { retireCodesWithoutLock } from './codes.ts'

export const sectionSave = z.object({
  section: z.string().max(100),
  version: z.int().min(0),
  body: z.unknown(),
  /** Of the Wi-Fi. */
  password: z.string().max(200).nullish(),
})

/**
 * Saves a whole section, which counts at once (STAY-03). Without `password` the Wi-Fi password stays.
 * @throws AppError not_found; bad_request by path within the section; conflict with the stored section for another
 * version; unavailable with a damaged key
 */
export async function saveArrivalSection(
  deps: Deps,
  actor: Admin,
  { password, section, ...save }: z.output<typeof sectionSave>,
) {
  const name = requireSection(section)
  const { body, fields } = parseContent<z.ZodType<object>>(shapes[name], save.body)
  if (fields !== undefined) throw invalid(fields)
  return deps.write(tx => {
    const before = newestSection(tx, name)
    if (before.version !== save.version)
      throw new AppError('conflict', stayMessages.stale, { current: presentSection(tx, name) })
    const version = before.version + 1
    const isSecured = 'security' in body && body.security === 'wpa'
    if (isSecured && typeof password === 'string' && !isWifiPassword(password))
      throw fieldError('password', passwordMessage)
    const secret = isSecured ? (password === undefined ? readPassword(deps, tx) : password) : null
    for (const { path, text } of arrivalTexts(body)) {
      const isPassword = secret != null && containsWord(text, secret)
      const found = isPassword ? stayMessages.contains('the Wi-Fi password') : secretIn(deps, tx, text)
      if (found) throw fieldError(path, found)
    }
    const at = nowIso(deps)
    const passwordEnc = secret ? sealSecret(deps, `wifi:${version}`, secret) : null
    tx.insert(arrivalSections)
      .values({ section: name, version, body, passwordEnc, at, actorId: actor.userId })
      .run()
    if (name === 'entry') retireCodesWithoutLock(tx, at)
    recordEvent(tx, at, actor, 'stay.arrival_saved', name, { version })
    return presentSection(tx, name)
  })
}

function requireSection(name: string): ArrivalSection {
  if (!isArrivalSection(name)) throw new AppError('not_found', 'There is no such part.')
  return name
}

const invalid = (fields: FieldErrors) =>
  new AppError('bad_request', Object.values(fields)[0] ?? contentMessages.invalid, { fields })
