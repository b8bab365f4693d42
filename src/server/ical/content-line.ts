/** A line of an iCalendar file; names and parameters in capital letters, values as they are written. */
export type ContentLine = { name: string; params: ReadonlyMap<string, string>; value: string }
/** A component with its own lines, those that could not be split left out. */
export type Component = {
  name: string
  lines: ContentLine[]
  components: Component[]
  /** Its end is missing. */
  isBroken: boolean
}

/** The file's lines without folding; blank ones are left out. */
export function unfold(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && lines.length > 0) lines[lines.length - 1] += line.slice(1)
    else lines.push(line)
  }
  return lines.map(line => line.trimEnd()).filter(line => line !== '')
}

/** Splits a line at its first colon outside of quotes; null when it is none. */
export function splitLine(line: string): ContentLine | null {
  const match = /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^":;]*))*):(.*)$/su.exec(line)
  if (!match) return null
  const [, name = '', params = '', value = ''] = match
  const pairs = [...params.matchAll(/;([\w-]+)=(?:"([^"]*)"|([^":;]*))/gu)]
  return {
    name: name.toUpperCase(),
    params: new Map(pairs.map(([, key = '', quoted, plain]) => [key.toUpperCase(), quoted ?? plain ?? ''])),
    value,
  }
}

/**
 * The components of the given names anywhere in the file, in their order, each with what it contains. Lines that cannot
 * be split are skipped (CAL-19); one whose end is missing is marked as broken.
 */
export function componentsOf(lines: string[], wanted: readonly string[]): Component[] {
  const found: Component[] = []
  const open: Component[] = []
  for (const text of lines) {
    const line = splitLine(text)
    if (line === null) continue
    const name = line.value.trim().toUpperCase()
    if (line.name === 'BEGIN') {
      // Events are not nested: the end of the first one is missing.
      if (wanted.includes(name)) close(open, 0, true)
      if (wanted.includes(name) || open.length > 0) {
        const component = { name, lines: [], components: [], isBroken: false }
        open.at(-1)?.components.push(component)
        if (open.length === 0) found.push(component)
        open.push(component)
      }
    } else if (line.name === 'END') {
      const at = open.findLastIndex(component => component.name === name)
      if (at >= 0) close(open, at, false)
      else if (name === 'VCALENDAR') close(open, 0, true)
    } else open.at(-1)?.lines.push(line)
  }
  close(open, 0, true)
  return found
}

/** Takes components off the stack down to `at`; those within it were left open, and `at` itself when `isBroken`. */
function close(open: Component[], at: number, isBroken: boolean): void {
  const outer = open[at]
  if (outer && isBroken) outer.isBroken = true
  open.length = Math.min(open.length, at)
}
