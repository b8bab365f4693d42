/** The upper end of the axis of an empty chart, in cents. */
const leastTopCents = 100_00

/** Three to six round amounts in cents at even steps, lowest first, that cover zero and all values. */
export function axisTicks(values: readonly number[]): number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(leastTopCents, ...values)
  const step = roundStep((high - low) / 4)
  const first = Math.floor(low / step)
  const count = Math.ceil(high / step) - first + 1
  return Array.from({ length: count }, (_, tick) => (first + tick) * step)
}

/** The next larger 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find(factor => factor * power >= least) ?? 10)
}
