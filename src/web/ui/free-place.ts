/** A rectangle in the window, in px. */
export type Box = { left: number; top: number; right: number; bottom: number }
/** How far something moves from its home, in px. */
export type Place = { x: number; y: number }

const stepPx = 8
/** So far toasts keep away from a control. */
const marginPx = 4

/**
 * The place nearest to its home at the top right where a stack of boxes covers no obstacle and stays in the window;
 * where there is none, the place where it covers the least.
 */
export function findFreePlace(stack: readonly Box[], obstacles: readonly Box[], window: Box): Place {
  const home = { x: 0, y: 0 }
  if (stack.length === 0) return home
  const near = obstacles.map(({ left, top, right, bottom }) => ({
    left: left - marginPx,
    top: top - marginPx,
    right: right + marginPx,
    bottom: bottom + marginPx,
  }))
  const leftmost = window.left - Math.min(...stack.map(({ left }) => left))
  const lowest = window.bottom - Math.max(...stack.map(({ bottom }) => bottom))
  let best = { place: home, covered: coveredPx(stack, home, near) }
  if (best.covered === 0) return home
  for (const place of placesByDistance(leftmost, lowest)) {
    const covered = coveredPx(stack, place, near)
    if (covered < best.covered) best = { place, covered }
    if (covered === 0) break
  }
  return best.place
}

function placesByDistance(leftmost: number, lowest: number): Place[] {
  const places: Place[] = []
  for (let x = 0; x >= leftmost; x -= stepPx) for (let y = 0; y <= lowest; y += stepPx) places.push({ x, y })
  return places.sort((a, b) => a.x ** 2 + a.y ** 2 - (b.x ** 2 + b.y ** 2))
}

/** The area of the obstacles that lies under the stack at this place. */
function coveredPx(stack: readonly Box[], { x, y }: Place, obstacles: readonly Box[]): number {
  let covered = 0
  for (const box of stack)
    for (const { left, top, right, bottom } of obstacles) {
      const width = Math.min(box.right + x, right) - Math.max(box.left + x, left)
      const height = Math.min(box.bottom + y, bottom) - Math.max(box.top + y, top)
      if (width > 0 && height > 0) covered += width * height
    }
  return covered
}
