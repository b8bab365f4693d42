/** A rectangle in the window, in px. */
export type Rect = { left: number; top: number; right: number; bottom: number }
/** The offset of the stack from its default position at the top right, in px. */
export type Offset = { x: number; y: number }

const stepPx = 8
/** The minimum distance between a toast and a control. */
const marginPx = 4

/**
 * The smallest offset at which a stack of boxes covers no obstacle and stays in the window. If there is none, the
 * offset at which it covers the least.
 */
export function findClearOffset(stack: readonly Rect[], obstacles: readonly Rect[], window: Rect): Offset {
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
  let best = { offset: home, covered: coveredPx(stack, home, near) }
  if (best.covered === 0) return home
  for (const offset of offsetsByLength(leftmost, lowest)) {
    const covered = coveredPx(stack, offset, near)
    if (covered < best.covered) best = { offset, covered }
    if (covered === 0) break
  }
  return best.offset
}

function offsetsByLength(leftmost: number, lowest: number): Offset[] {
  const offsets: Offset[] = []
  for (let x = 0; x >= leftmost; x -= stepPx) for (let y = 0; y <= lowest; y += stepPx) offsets.push({ x, y })
  return offsets.sort((a, b) => a.x ** 2 + a.y ** 2 - (b.x ** 2 + b.y ** 2))
}

/** The area of the obstacles that the stack covers at this offset. */
function coveredPx(stack: readonly Rect[], { x, y }: Offset, obstacles: readonly Rect[]): number {
  let covered = 0
  for (const box of stack)
    for (const { left, top, right, bottom } of obstacles) {
      const width = Math.min(box.right + x, right) - Math.max(box.left + x, left)
      const height = Math.min(box.bottom + y, bottom) - Math.max(box.top + y, top)
      if (width > 0 && height > 0) covered += width * height
    }
  return covered
}
