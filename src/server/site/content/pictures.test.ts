import { expect, test } from 'vitest'
import { pictureCopies, pictures } from '../../../../db/schema.ts'
import type { PictureCut } from '../../../domain/content/picture.ts'
import { testApp, testNow } from '../../../testing/test-app.ts'
import { pictures as shipped } from './pictures.gen.ts'
import { readPictures } from './pictures.ts'

const focal = { x: 0.5, y: 0.25 }
const cut = (name: PictureCut['cut'], hash: string, size: { width: number; height: number }): PictureCut => ({
  cut: name,
  hash,
  ...size,
  widths: { avif: name === 'phone' ? [480, 768] : [], webp: [960, 1440], jpg: [1440] },
  placeholder: `data:image/webp;base64,${hash}`,
})
const whole = cut('whole', 'aaaaaaaaaaaaaaaa', { width: 1500, height: 1000 })
const phone = cut('phone', 'bbbbbbbbbbbbbbbb', { width: 711, height: 1000 })
const social = cut('social', 'cccccccccccccccc', { width: 1500, height: 788 })

/** An uploaded picture with copies for these recipes. */
async function upload(
  copies: { recipe: string; cuts: PictureCut[] | null; state?: 'ready' | 'processing' }[],
) {
  const app = await testApp()
  const { userId } = await app.makeAdmin()
  const row = {
    name: 'sea.jpg',
    width: 1500,
    height: 1000,
    sha256: 'x',
    state: 'ready',
    createdAt: testNow,
  } as const
  await app.deps.write(tx => {
    tx.insert(pictures)
      .values({ ...row, id: 'mine', createdBy: userId })
      .run()
    for (const [index, { cuts, recipe, state = 'ready' }] of copies.entries())
      tx.insert(pictureCopies)
        .values({ pictureId: 'mine', recipe, hash: `${index}`, cuts, state })
        .run()
  })
  return { ...readPictures(app.deps.db), app }
}

test('returns the copies of an upload for each recipe, each with its own path [PIC-09, PIC-10]', async () => {
  const found = await upload([
    { recipe: 'page', cuts: [whole] },
    { recipe: 'hero@0.50,0.25', cuts: [whole, phone] },
    { recipe: 'social@0.50,0.25', cuts: [social] },
  ])
  expect(found.page('mine')).toEqual({
    id: 'mine',
    path: '/media/aaaaaaaaaaaaaaaa',
    width: 1500,
    height: 1000,
    avif: [],
    webp: [960, 1440],
    jpeg: [1440],
    placeholder: whole.placeholder,
  })
  const hero = found.hero('mine', focal)
  expect(hero.phone).toMatchObject({ path: '/media/bbbbbbbbbbbbbbbb', width: 711, avif: [480, 768] })
  expect(found.social('mine', focal)).toEqual({
    path: '/media/cccccccccccccccc-1440.jpg',
    width: 1440,
    height: 756,
  })
})

test('returns a placeholder with the right aspect ratio until copies are ready, and none for shared links [PIC-12, PIC-13]', async () => {
  const found = await upload([{ recipe: 'page', cuts: [whole], state: 'processing' }])
  const placeholder = expect.stringMatching(/^data:image\//)
  const none = { avif: [], webp: [], jpeg: [] }
  expect(found.page('mine')).toMatchObject({ ...none, placeholder: whole.placeholder })
  const hero = found.hero('mine', focal)
  expect(hero).toMatchObject({ ...none, width: 1500, height: 1000, placeholder })
  expect(hero.phone).toMatchObject({ ...none, width: 32, height: 45, placeholder })
  expect(found.social('mine', focal)).toBeUndefined()
  for (const id of [null, 'nobody', 'hero-tall'])
    expect(found.page(id)).toMatchObject({ ...none, width: 1600, height: 1067, placeholder })
  await found.app.deps.write(tx => tx.update(pictures).set({ removedAt: testNow }).run())
  expect(found.page('mine').placeholder).not.toBe(whole.placeholder)
})

test('shows a new hero picture uncropped until its crops are ready [PIC-12]', async () => {
  const hero = { recipe: 'hero@0.50,0.25', cuts: null, state: 'processing' } as const
  const found = await upload([{ recipe: 'page', cuts: [whole] }, hero])
  const page = found.page('mine')
  expect(found.hero('mine', focal)).toEqual({ ...page, phone: page })
})

test('the shipped hero keeps its own crops for any focal point [PIC-10, SITE-01]', async () => {
  const { hero, social } = readPictures((await testApp()).deps.db)
  for (const point of [focal, { x: 0.3, y: 0 }]) {
    expect(hero('hero', point)).toMatchObject({
      path: shipped.hero.path,
      avif: shipped.hero.widths,
      phone: { path: shipped['hero-tall'].path, jpeg: shipped['hero-tall'].jpegWidths },
    })
    expect(social('hero', point)).toEqual({ path: '/og-image.jpg', width: 1200, height: 630 })
  }
  expect(social('02-balcony-ocean', focal)).toMatchObject({ width: 1200, height: 800 })
})
