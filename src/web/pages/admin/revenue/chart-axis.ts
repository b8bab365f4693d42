/** What the axis of an empty chart reaches, in cents. */
const leastTopCents = 100_00

/** Round amounts in cents at even steps, lowest first, that cover zero and all values; three to six of them. */
export function axisTicks(values: readonly number[]): number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(leastTopCents, ...values)
  const step = roundStep((high - low) / 4)
  const first = Math.floor(low / step)
  const count = Math.ceil(high / step) - first + 1
  return Array.from({ length: count }, (_, tick) => (first + tick) * step)
}

/** The next 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find(factor => factor * power >= least) ?? 10)
}
