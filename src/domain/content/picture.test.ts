import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  attemptAfter,
  type CopyFormat,
  type CopyName,
  type CutName,
  copyIdentity,
  copyWidths,
  cropAround,
  cutPlansOf,
  formatCopyName,
  formatRecipe,
  isFocalShare,
  parseCopyName,
  parseRecipe,
  pictureMessages,
  type Recipe,
  rectangleOf,
  type Size,
  sizeError,
  stateAfter,
} from './picture.ts'

const { tooManyPixels, tooNarrow, tooSmall } = pictureMessages

test.each<[width: number, height: number, isBaseline: boolean, fault: string | undefined]>([
  [8000, 6500, true, undefined],
  [8000, 6501, true, tooManyPixels],
  [8000, 6500, false, tooManyPixels],
  [4000, 3000, false, undefined],
  [4000, 3001, false, tooManyPixels],
  [60_000, 60_000, false, tooManyPixels],
  [800, 500, true, undefined],
  [500, 800, true, undefined],
  [799, 500, true, tooSmall],
  [800, 499, true, tooSmall],
  [2000, 500, true, undefined],
  [2001, 500, true, tooNarrow],
  [500, 2001, true, tooNarrow],
])('a picture of %d × %d, baseline %s: %s [PIC-03]', (width, height, isBaseline, fault) => {
  expect(sizeError({ width, height, isBaseline })).toBe(fault)
})

const focalPoints = fc.record({ x: fc.nat(20), y: fc.nat(20) }).map(({ x, y }) => ({ x: x / 20, y: y / 20 }))
const recipes = fc.oneof(
  fc.constant<Recipe>({ kind: 'page' }),
  fc.record({ kind: fc.constantFrom('hero' as const, 'social' as const), focal: focalPoints }),
)
const sizes = fc
  .record({ width: fc.integer({ min: 500, max: 14_000 }), height: fc.integer({ min: 500, max: 14_000 }) })
  .filter(size => sizeError({ ...size, isBaseline: true }) === undefined)

test('parses a recipe from its name, and rejects any other text [PIC-09, PIC-10]', () => {
  expect(formatRecipe({ kind: 'hero', focal: { x: 0.3, y: 0 } })).toBe('hero@0.30,0.00')
  expect(parseRecipe('social@1.00,0.55')).toEqual({ kind: 'social', focal: { x: 1, y: 0.55 } })
  fc.assert(fc.property(recipes, recipe => void expect(parseRecipe(formatRecipe(recipe))).toEqual(recipe)))
  for (const name of [
    'hero',
    'page@0.30,0.00',
    'hero@0.3,0.0',
    'hero@0.31,0.00',
    'hero@1.05,0.00',
    'social@0.30',
    '',
  ])
    expect(parseRecipe(name), name).toBeUndefined()
})

test('a focal point is within the picture, in steps of 0.05 [PIC-10]', () => {
  for (let step = 0; step <= 20; step++) expect(isFocalShare(Number((step * 0.05).toFixed(2)))).toBe(true)
  for (const share of [-0.05, 1.05, 0.33, 0.051, Number.NaN])
    expect(isFocalShare(share), `${share}`).toBe(false)
})

test('cuts like the shipped picture, and stays inside at the edges [PIC-10]', () => {
  const [, phone] = cutPlansOf({ kind: 'hero', focal: { x: 0.3, y: 0 } })
  if (!phone?.ratio) throw new Error('no cut')
  const at = (x: number, y: number, picture: Size) => cropAround(picture, phone.ratio as Size, { x, y })
  const shipped = { width: 2400, height: 1350 }
  expect(at(0.3, 0, shipped)).toEqual({ left: 240, top: 0, width: 960, height: 1350 })
  expect(at(0, 0.5, shipped)).toMatchObject({ left: 0 })
  expect(at(1, 0.5, shipped)).toMatchObject({ left: 1440 })
  expect(at(0.5, 1, { width: 960, height: 2000 })).toEqual({ left: 0, top: 650, width: 960, height: 1350 })
})

test('a cut keeps its aspect ratio, contains the focal point, and is as wide or as high as the picture [PIC-10]', () => {
  fc.assert(
    fc.property(sizes, recipes, (picture, recipe) => {
      for (const plan of cutPlansOf(recipe)) {
        const { height, left, top, width } = rectangleOf(plan, recipe, picture)
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
        expect(left + width).toBeLessThanOrEqual(picture.width)
        expect(top + height).toBeLessThanOrEqual(picture.height)
        expect(width === picture.width || height === picture.height).toBe(true)
        if (!plan.ratio || recipe.kind === 'page') continue
        expect(Math.abs(width - (height * plan.ratio.width) / plan.ratio.height)).toBeLessThan(2)
        const { x, y } = recipe.focal
        expect(x * picture.width).toBeGreaterThanOrEqual(left - 1)
        expect(x * picture.width).toBeLessThanOrEqual(left + width + 1)
        expect(y * picture.height).toBeGreaterThanOrEqual(top - 1)
        expect(y * picture.height).toBeLessThanOrEqual(top + height + 1)
      }
    }),
  )
})

const widthsOf = (name: string, picture: Size) => {
  const recipe = parseRecipe(name)
  if (!recipe) throw new Error(name)
  return cutPlansOf(recipe).map(plan => {
    const cut = rectangleOf(plan, recipe, picture)
    const of = (format: CopyFormat) => copyWidths(plan, cut, format)
    return [plan.cut, of('webp'), of('jpg'), of('avif')]
  })
}

test('a large picture gets every width of its recipe [PIC-09, PIC-10]', () => {
  const large = { width: 8000, height: 6000 }
  expect(widthsOf('page', large)).toEqual([['whole', [400, 800, 1200, 1600], [800, 1200], [400, 800, 1200]]])
  expect(widthsOf('hero@0.30,0.00', large)).toEqual([
    ['whole', [960, 1440, 1920, 2400], [1440, 2400], []],
    ['phone', [480, 768, 960], [960], [480, 768, 960]],
  ])
  expect(widthsOf('social@0.30,0.00', large)).toEqual([['social', [], [1200], []]])
})

test('a smaller picture ends with its own width, and none is enlarged [PIC-09, PIC-10]', () => {
  expect(widthsOf('page', { width: 1000, height: 750 })).toEqual([
    ['whole', [400, 800, 1000], [800, 1000], [400, 800, 1000]],
  ])
  expect(widthsOf('page', { width: 500, height: 800 })).toEqual([['whole', [400, 500], [500], [400, 500]]])
  expect(widthsOf('hero@0.50,0.50', { width: 800, height: 500 })).toEqual([
    ['whole', [800], [800], []],
    ['phone', [356], [356], [356]],
  ])
  fc.assert(
    fc.property(sizes, recipes, (picture, recipe) => {
      for (const plan of cutPlansOf(recipe))
        for (const format of ['avif', 'webp', 'jpg'] as const) {
          const cut = rectangleOf(plan, recipe, picture)
          const widths = copyWidths(plan, cut, format)
          expect(widths).toEqual([...new Set(widths)].toSorted((a, b) => a - b))
          expect(widths.length > 0).toBe(plan.widths[format].length > 0)
          for (const width of widths) {
            expect(width).toBeLessThanOrEqual(cut.width)
            expect((width * width * cut.height) / cut.width).toBeLessThanOrEqual(8_000_000)
          }
        }
    }),
  )
})

const hash = '0123456789abcdef'

test('parses a copy from its name, and rejects any other text [PIC-11]', () => {
  expect(formatCopyName({ hash, width: 400, format: 'webp' })).toBe(`${hash}-400.webp`)
  const names = fc.record<CopyName>({
    hash: fc.stringMatching(/^[0-9a-f]{16}$/),
    width: fc.integer({ min: 1, max: 2400 }),
    format: fc.constantFrom('avif', 'webp', 'jpg'),
  })
  fc.assert(fc.property(names, name => void expect(parseCopyName(formatCopyName(name))).toEqual(name)))
  for (const name of [
    `${hash}-400.png`,
    `${hash}-400.webp.webp`,
    `${hash}-0400.webp`,
    `${hash}-0.webp`,
    `${hash}-.webp`,
    `${hash}0-400.webp`,
    `${hash.toUpperCase()}-400.webp`,
    `../${hash}-400.webp`,
    `${hash}-400.webp\n`,
    'incoming',
    '',
  ])
    expect(parseCopyName(name), name).toBeUndefined()
})

test('each original, recipe, cut and focal point has a different identity [PIC-11]', () => {
  const identities = ['a', 'b'].flatMap(original =>
    ['page', 'hero@0.30,0.00', 'hero@0.35,0.00', 'social@0.30,0.00'].flatMap(name => {
      const recipe = parseRecipe(name)
      return recipe ? cutPlansOf(recipe).map(plan => copyIdentity(original, recipe, plan)) : []
    }),
  )
  expect(new Set(identities).size).toBe(identities.length)
  expect(identities).toHaveLength(12)
  const cuts: CutName[] = ['whole', 'whole', 'phone', 'whole', 'phone', 'social']
  expect(identities.slice(0, 6).map(text => JSON.parse(text)[3].cut)).toEqual(cuts)
})

test('after a crash, tries once more without AVIF, then fails [PIC-07]', () => {
  expect([0, 1, 2, 3].map(attemptAfter)).toEqual([
    { withAvif: true },
    { withAvif: false },
    undefined,
    undefined,
  ])
  expect(stateAfter('died', 1)).toEqual({ state: 'processing', fault: null })
  expect(stateAfter('died', 2)).toEqual({ state: 'failed', fault: 'This picture could not be prepared.' })
  for (const attempts of [1, 2]) {
    expect(stateAfter('made', attempts)).toEqual({ state: 'ready', fault: null })
    expect(stateAfter('unreadable', attempts)).toEqual({
      state: 'failed',
      fault: 'This picture could not be read. It may be damaged.',
    })
  }
})
