import type { ContentDocument, SectionName } from './content.ts'

/** The sections that show a single picture. */
const single = ['hero', 'overview', 'location', 'contact'] as const

type Pictured = Pick<ContentDocument, (typeof single)[number] | 'gallery'>

/** The pictures that a document uses, each with its sections, in the order of the page. */
export function pictureUses({
  contact,
  gallery,
  hero,
  location,
  overview,
}: Pictured): Map<string, SectionName[]> {
  const uses: [SectionName, string | null][] = [
    ['hero', hero.picture],
    ['overview', overview.picture],
    ...gallery.pictures.map(({ picture }): [SectionName, string | null] => ['gallery', picture]),
    ['location', location.picture],
    ['contact', contact.picture],
  ]
  const used = new Map<string, SectionName[]>()
  for (const [section, picture] of uses) {
    const before = picture === null ? undefined : (used.get(picture) ?? [])
    if (picture !== null && before && !before.includes(section)) used.set(picture, [...before, section])
  }
  return used
}

/** The document without missing pictures, and the list of these pictures (SITE-27). */
export function withoutMissingPictures<Document extends Pictured>(
  document: Document,
  exists: (picture: string) => boolean,
): { document: Document; missing: string[] } {
  const missing = [...pictureUses(document).keys()].filter(picture => !exists(picture))
  const isGone = (picture: string | null) => picture !== null && missing.includes(picture)
  const emptied = single.map(name => {
    const body = document[name]
    return [name, isGone(body.picture) ? { ...body, picture: null } : body]
  })
  const pictures = document.gallery.pictures.filter(({ picture }) => !isGone(picture))
  return {
    document: { ...document, ...Object.fromEntries(emptied), gallery: { ...document.gallery, pictures } },
    missing,
  }
}
