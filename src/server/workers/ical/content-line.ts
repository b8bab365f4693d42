/** A line of an iCalendar file: the name and the parameter names in upper case, the value unchanged. */
export type ContentLine = { name: string; params: ReadonlyMap<string, string>; value: string }
/** A component with its own lines, except lines that could not be split. */
export type Component = {
  name: string
  lines: ContentLine[]
  components: Component[]
  /** Whether its END line is missing. */
  isBroken: boolean
}

/** Events and time zones need two. Each END line is compared with all open components, so depth must be limited. */
const maxNesting = 10

/** The file's unfolded lines, without blank lines. */
export function unfold(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && lines.length > 0) lines[lines.length - 1] += line.slice(1)
    else lines.push(line)
  }
  return lines.map(line => line.trimEnd()).filter(line => line !== '')
}

/** Splits a line at its first colon outside quotes; null if it is not a content line. */
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
 * The components with the given names anywhere in the file, in file order, with their subcomponents. Lines that cannot
 * be split are skipped (CAL-19); a component without an END line is marked as broken. Undefined if more than ten are
 * nested.
 */
export function findComponents(lines: string[], wanted: readonly string[]): Component[] | undefined {
  const found: Component[] = []
  const open: Component[] = []
  for (const text of lines) {
    const line = splitLine(text)
    if (line === null) continue
    const name = line.value.trim().toUpperCase()
    if (line.name === 'BEGIN') {
      // Wanted components cannot be nested, so the END line of the open one is missing.
      if (wanted.includes(name)) close(open, 0, true)
      if (wanted.includes(name) || open.length > 0) {
        const component = { name, lines: [], components: [], isBroken: false }
        open.at(-1)?.components.push(component)
        if (open.length === 0) found.push(component)
        open.push(component)
        if (open.length > maxNesting) return undefined
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

/** Pops the component at `at`, and any unclosed components inside it, off the stack; marks it broken on request. */
function close(open: Component[], at: number, isBroken: boolean): void {
  const outer = open[at]
  if (outer && isBroken) outer.isBroken = true
  open.length = Math.min(open.length, at)
}
