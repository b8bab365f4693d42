import { encode } from 'fast-png'

const width = 300
const height = 90

/** Draws a fake handwritten signature: a PNG as data URL that depends on the name. */
export function drawSignature(name: string): string {
  const data = new Uint8Array(width * height * 4)
  const shape = [...name].map(letter => (letter.codePointAt(0) ?? 0) % 17)
  const letters = shape.length
  for (let step = 0; step < 6000; step++) {
    const along = step / 6000
    const letter = shape[Math.floor(along * letters)] ?? 0
    const turn = along * letters * Math.PI * 2
    const x = 20 + along * (width - 50) + Math.sin(turn) * 7
    const y = height / 2 - Math.cos(turn) * (8 + letter) + Math.sin(along * 9) * 6
    dot(data, Math.round(x), Math.round(y))
  }
  return `data:image/png;base64,${Buffer.from(encode({ width, height, data, channels: 4 })).toString('base64')}`
}

/** Draws two by two pixels of ink. */
function dot(data: Uint8Array, x: number, y: number): void {
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
    data.set([20, 32, 74, 255], ((y + dy) * width + x + dx) * 4)
  }
}
