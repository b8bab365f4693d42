import type { Tx } from '../../../../db/open.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { AppError, type FieldErrors } from '../../../domain/common/errors.ts'
import { isSectionName, type SectionName, type SiteContent } from '../../../domain/content/content.ts'
import { parseSection, unverifiableReviews } from '../../../domain/content/content-faults.ts'
import { contentMessages } from '../../../domain/content/content-text.ts'
import { isPastStay } from '../../bookings/past-stay.ts'
import type { Deps } from '../../kernel/deps.ts'
import { type ParsedText, parseTexts } from '../content/parsed-texts.ts'
import { pictureExists } from '../pictures/copies.ts'

/** @throws AppError not_found */
export function requireSection(name: string): SectionName {
  if (!isSectionName(name)) throw new AppError('not_found', 'The site has no such part.')
  return name
}

/**
 * Validates a whole section and returns it as it is saved (SITE-03, SITE-04, SITE-06, SITE-07, SITE-10), with its parsed
 * text if it has a new one (SITE-09, FIX-30).
 * @throws AppError bad_request with all errors, by path within the section
 */
export async function checkSection(
  deps: Deps,
  name: SectionName,
  given: unknown,
): Promise<{ body: SiteContent[SectionName]; parsed: ParsedText[] }> {
  const { body, fields } = parseSection(name, given, todayOf(deps))
  if (fields !== undefined) throw invalid(fields)
  const { faults, parsed } = await parseTexts(deps, { [name]: body })
  if (faults[name] !== undefined) throw invalid({ text: faults[name] })
  return { body, parsed }
}

/**
 * Checks the pictures and stays of a section, in the write that saves it (SITE-11, PIC-14).
 * @throws AppError bad_request with all errors, by path within the section
 */
export function checkReferences(deps: Deps, tx: Tx, body: SiteContent[SectionName]): void {
  const faults = {
    ...unknownPictures(body, id => pictureExists(tx, id)),
    ...('reviews' in body ? unverifiableReviews(body, id => isPastStay(tx, id, todayOf(deps))) : {}),
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

const todayOf = ({ clock, config }: Deps) => dateIn(clock.now(), config.site.timeZone)
const invalid = (fields: FieldErrors) =>
  new AppError('bad_request', Object.values(fields)[0] ?? contentMessages.invalid, { fields })

function unknownPictures(body: SiteContent[SectionName], exists: (id: string) => boolean): FieldErrors {
  const named: [path: string, picture: string | null][] =
    'pictures' in body
      ? body.pictures.map(({ picture }, index) => [`pictures.${index}.picture`, picture])
      : 'picture' in body
        ? [['picture', body.picture]]
        : []
  return Object.fromEntries(
    named.flatMap(([path, picture]) =>
      picture === null || exists(picture) ? [] : [[path, contentMessages.noSuchPicture]],
    ),
  )
}
