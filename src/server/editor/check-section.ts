import type { Tx } from '../../../db/open.ts'
import { isSectionName, type SectionName, type SiteContent } from '../../domain/content.ts'
import { linkMessage } from '../../domain/content-blocks.ts'
import { parseSection, unverifiableReviews } from '../../domain/content-faults.ts'
import { contentMessages } from '../../domain/content-text.ts'
import { dateIn } from '../../domain/dates.ts'
import { AppError, type FieldErrors } from '../../domain/errors.ts'
import { isPastStay } from '../bookings/past-stay.ts'
import { parseMarkdown } from '../content/markdown.ts'
import type { Deps } from '../kernel/deps.ts'
import { pictureExists } from '../media/copies.ts'

/** @throws AppError not_found */
export function requireSection(name: string): SectionName {
  if (!isSectionName(name)) throw new AppError('not_found', 'The site has no such part.')
  return name
}

/**
 * Validates a whole section and returns it as it is saved (SITE-03, SITE-04, SITE-06, SITE-07, SITE-09, SITE-10,
 * SITE-11, PIC-14).
 * @throws AppError bad_request with all errors, by path within the section
 */
export function checkSection(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  tx: Tx,
  name: SectionName,
  given: unknown,
): SiteContent[SectionName] {
  const today = dateIn(clock.now(), config.site.timeZone)
  const { body, fields } = parseSection(name, given, today)
  const faults = fields ?? {
    ...refusedLinks(name, body),
    ...unknownPictures(body, id => pictureExists(tx, id)),
    ...('reviews' in body ? unverifiableReviews(body, id => isPastStay(tx, id, today)) : {}),
  }
  const [first] = Object.values(faults)
  if (body === undefined || first !== undefined)
    throw new AppError('bad_request', first ?? contentMessages.invalid, { fields: faults })
  return body
}

function refusedLinks(name: SectionName, body: SiteContent[SectionName]): FieldErrors {
  if (name !== 'privacy' && name !== 'terms') return {}
  const { text } = body as SiteContent['privacy']
  return parseMarkdown(text).refusedLinks.length > 0 ? { text: linkMessage } : {}
}

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
