import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cropAround, isFocalShare } from '../../../../../domain/content/picture.ts'
import { aspectRatioOf, cropPosition, describeFocal, focalAfter, focalAt } from './focal-point-field.tsx'

test('a click sets the focal point in steps of 5%, always inside the picture [PIC-10]', () => {
  const box = { left: 100, top: 50, width: 400, height: 200 }
  expect(focalAt({ clientX: 221, clientY: 148 }, box)).toEqual({ x: 0.3, y: 0.5 })
  expect(focalAt({ clientX: 99, clientY: 260 }, box)).toEqual({ x: 0, y: 1 })
})

test('arrow keys move the focal point by one step, up to the edges; other keys do nothing', () => {
  expect(focalAfter('ArrowRight', { x: 0.3, y: 0 })).toEqual({ x: 0.35, y: 0 })
  expect(focalAfter('ArrowUp', { x: 0.3, y: 0 })).toEqual({ x: 0.3, y: 0 })
  expect(focalAfter('Tab', { x: 0.3, y: 0 })).toBeUndefined()
  let focal = { x: 0, y: 0 }
  for (let step = 0; step < 25; step++) {
    focal = focalAfter('ArrowDown', focal) ?? focal
    expect(isFocalShare(focal.y)).toBe(true)
  }
  expect(focal).toEqual({ x: 0, y: 1 })
  expect(describeFocal(focal)).toBe('0% from the left, 100% from the top')
})

test('previews show exactly the part of the picture that the crops contain', () => {
  const sides = fc.record({
    width: fc.integer({ min: 500, max: 8000 }),
    height: fc.integer({ min: 500, max: 8000 }),
  })
  const steps = fc.integer({ min: 0, max: 20 }).map(step => step / 20)
  const focals = fc.record({ x: steps, y: steps })
  const ratios = fc.constantFrom(aspectRatioOf('hero', 'phone'), aspectRatioOf('social', 'social'))
  fc.assert(
    fc.property(sides, focals, ratios, (picture, focal, ratio) => {
      const cut = cropAround(picture, ratio, focal)
      const [left = 0, top = 0] = cropPosition(picture, ratio, focal).split(' ').map(Number.parseFloat)
      // The meaning of `object-position`: a share of the remaining space.
      expect(((picture.width - cut.width) * left) / 100).toBeCloseTo(cut.left, 6)
      expect(((picture.height - cut.height) * top) / 100).toBeCloseTo(cut.top, 6)
    }),
  )
})
