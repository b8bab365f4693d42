/** Without I, L, O and U, which are mistaken for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupLength = 4
const checkLength = 4
/** Symbols of five bits: 140 at random, then 20 of the check. */
const randomLength = 28

export const phraseGroups = 8
export const mistypedPhrase = 'The phrase is mistyped.'

/** Powers of the generator of GF(32), x⁵ + x² + 1, and their logarithms. */
const powers: number[] = []
for (let value = 1; powers.length < 31; value = value & 16 ? (value << 1) ^ 0x25 : value << 1)
  powers.push(value)
const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (powers[(powers.indexOf(a) + powers.indexOf(b)) % 31] ?? 0)

/** The coefficients below the highest of the generator polynomial with the roots g⁰ to g³. */
const generator = generatorOf(powers.slice(0, checkLength))

function generatorOf(roots: readonly number[]): number[] {
  let product = [1]
  for (const root of roots)
    product = [...product, 0].map((coefficient, i) => coefficient ^ times(product[i - 1] ?? 0, root))
  return product.slice(1)
}

/** The remainder of a Reed-Solomon division: it changes with each wrong symbol and with two swapped neighbors. */
function checkOf(symbols: readonly number[]): number[] {
  let remainder = new Array<number>(checkLength).fill(0)
  for (const symbol of symbols) {
    const factor = symbol ^ (remainder[0] ?? 0)
    remainder = generator.map((coefficient, i) => (remainder[i + 1] ?? 0) ^ times(coefficient, factor))
  }
  return remainder
}

/** A recovery phrase, eight groups of four characters, from 28 random bytes. */
export function recoveryPhrase(random: Uint8Array): string {
  const symbols = [...random.slice(0, randomLength)].map(byte => byte & 31)
  if (symbols.length < randomLength) throw new Error('too few random bytes')
  const text = [...symbols, ...checkOf(symbols)].map(symbol => alphabet[symbol]).join('')
  return (text.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-')
}

/** A typed phrase as it was printed; undefined if it is mistyped. Case, spaces and dashes do not matter. */
export function readPhrase(typed: string): string | undefined {
  const text = readGroup(typed)
  const symbols = [...text].map(character => alphabet.indexOf(character))
  if (symbols.length !== randomLength + checkLength || symbols.includes(-1)) return undefined
  const check = checkOf(symbols.slice(0, randomLength))
  if (check.some((symbol, i) => symbol !== symbols[randomLength + i])) return undefined
  return (text.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-')
}

/** Typed characters of a phrase, without spaces and dashes, and with the digits that letters look like. */
export const readGroup = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
