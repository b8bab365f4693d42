import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyContent, buildContent } from '../../testing/build-content.ts'
import { pictureUses, withoutMissingPictures } from './picture.ts'

const content = buildContent()

test('lists each picture with the sections that show it [SITE-27]', () => {
  const uses = pictureUses({ ...content, contact: { ...content.contact, picture: 'hero' } })
  expect(uses.get('hero')).toEqual(['hero', 'contact'])
  expect(uses.get('02-balcony-ocean')).toEqual(['overview', 'gallery'])
  expect(uses.size).toBe(13)
})

test('removes missing pictures from every section, and reports each once [SITE-27]', () => {
  const gone = ['hero', '02-balcony-ocean', '12-balcony-evening']
  const { document, missing } = withoutMissingPictures(content, picture => !gone.includes(picture))
  expect(missing).toEqual(gone)
  expect(document.hero).toEqual({ ...content.hero, picture: null })
  expect(document.overview).toEqual({ ...content.overview, picture: null })
  expect(document.gallery.pictures).toEqual(
    content.gallery.pictures.filter(({ picture }) => !gone.includes(picture ?? '')),
  )
  expect(document.location).toEqual(content.location)
})

test('a restored document shows only pictures that exist, and all of those [SITE-27]', () => {
  fc.assert(
    fc.property(anyContent, fc.subarray(['a', 'b', 'c', 'd-1', 'e_2']), (any, existing) => {
      const before = structuredClone(any)
      const exists = (picture: string) => existing.includes(picture)
      const { document, missing } = withoutMissingPictures(any, exists)
      expect(any).toEqual(before)
      const [had, has] = [[...pictureUses(any).keys()], [...pictureUses(document).keys()]]
      expect(has).toEqual(had.filter(exists))
      expect(missing).toEqual(had.filter(picture => !exists(picture)))
      const unchosen = ({ gallery }: typeof any) => gallery.pictures.filter(({ picture }) => picture === null)
      expect(unchosen(document)).toEqual(unchosen(any))
      if (missing.length === 0) expect(document).toEqual(any)
    }),
    { numRuns: 60 },
  )
})
