export type Encoding = 'br' | 'gzip' | 'identity'

/** Brotli before gzip, each if it is there and unless the browser gives it no weight. */
export function chooseEncoding(
  accepted: string | string[] | undefined,
  there: Partial<Record<Encoding, unknown>>,
): Encoding {
  const offered = new Map(
    String(accepted ?? '')
      .split(',')
      .map(part => {
        const [name = '', ...parameters] = part
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/)
        return [name, !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))]
      }),
  )
  return (['br', 'gzip'] as const).find(name => there[name] !== undefined && offered.get(name)) ?? 'identity'
}
