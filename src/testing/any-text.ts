import fc from 'fast-check'

const [firstSurrogate, surrogates, characters] = [0xd800, 0x800, 0x110000]

/**
 * Any character. Fast-check's own `unit: 'binary'` makes a table of all million characters in each process, which takes
 * a second.
 */
const anyCharacter = fc.nat({ max: characters - surrogates - 1 }).map(
  index => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  text => {
    const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1
    if (code < 0 || String.fromCodePoint(code) !== text || isSurrogate(code))
      throw new Error('not a character')
    return code < firstSurrogate ? code : code - surrogates
  },
)
const isSurrogate = (code: number) => code >= firstSurrogate && code < firstSurrogate + surrogates

/** A text of any characters. */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: anyCharacter })
