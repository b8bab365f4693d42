import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findClearOffset, type Rect } from './clear-offset.ts'

const box = (left: number, top: number, width: number, height: number): Rect => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const window = box(0, 76, 1280, 812)
/** A single toast in its default position at the top right. */
const stack = [box(968, 76, 300, 48)]
const overlaps = (a: Rect, b: Rect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
const moved = ({ left, right, top, bottom }: Rect, { x, y }: { x: number; y: number }) => ({
  left: left + x,
  right: right + x,
  top: top + y,
  bottom: bottom + y,
})

test('keeps toasts at the top right if nothing is in the way [LOOK-10]', () => {
  expect(findClearOffset(stack, [], window)).toEqual({ x: 0, y: 0 })
  expect(findClearOffset(stack, [box(100, 80, 200, 40)], window)).toEqual({ x: 0, y: 0 })
})

test('moves toasts no further than necessary [LOOK-10]', () => {
  const { x, y } = findClearOffset(stack, [box(1100, 90, 100, 40)], window)
  expect(x).toBe(0)
  expect(y).toBeGreaterThanOrEqual(90 + 40 - 76)
  expect(y).toBeLessThan(90 + 40 - 76 + 24)
})

test('covers no control and stays in the window if there is room, else covers as little as possible [LOOK-10]', () => {
  const control = fc
    .tuple(fc.nat({ max: 1200 }), fc.nat({ max: 800 }), fc.nat({ max: 400 }), fc.nat({ max: 60 }))
    .map(([left, top, width, height]) => box(left, top, width + 1, height + 1))
  fc.assert(
    fc.property(fc.array(control, { maxLength: 30 }), controls => {
      const offset = findClearOffset(stack, controls, window)
      const [found] = stack.map(each => moved(each, offset))
      expect(found && found.left >= window.left && found.bottom <= window.bottom).toBe(true)
      expect(controls.filter(each => found && overlaps(each, found))).toEqual([])
    }),
    { numRuns: 50 },
  )
  const wall = box(0, 76, 1280, 700)
  expect(findClearOffset(stack, [wall], window)).toEqual({ x: 0, y: expect.any(Number) })
  const { y } = findClearOffset(stack, [wall], window)
  expect(y + 76).toBeGreaterThanOrEqual(776)
  expect(findClearOffset(stack, [window], window)).toEqual({ x: 0, y: 0 })
})
