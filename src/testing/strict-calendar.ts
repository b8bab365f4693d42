/** An event of a calendar file: its unescaped values, by property name including parameters. */
export type StrictEvent = Record<string, string>

const moment = /^\d{8}T\d{6}Z$/
const date = /^\d{8}$/
/** The properties that an event in our files may have, each at most once, and the format of their values. */
const properties: Record<string, RegExp> = {
  UID: /./,
  DTSTAMP: moment,
  SEQUENCE: /^\d+$/,
  'DTSTART;VALUE=DATE': date,
  'DTEND;VALUE=DATE': date,
  DTSTART: moment,
  DTEND: moment,
  SUMMARY: /./,
  LOCATION: /./,
  URL: /^https?:./,
  DESCRIPTION: /./,
  TRANSP: /^(OPAQUE|TRANSPARENT)$/,
}
const texts = ['UID', 'SUMMARY', 'DESCRIPTION', 'LOCATION']

/** A strict RFC 5545 parser. @throws on any deviation */
export function readStrictly(octets: Buffer): { name: string; events: StrictEvent[] } {
  const lines = unfolded(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets))
  const [begin, version, prodId = '', calName = '', ...rest] = lines
  if (begin !== 'BEGIN:VCALENDAR' || version !== 'VERSION:2.0' || rest.pop() !== 'END:VCALENDAR')
    throw new Error('no calendar')
  if (!/^PRODID:./.test(prodId) || !calName.startsWith('X-WR-CALNAME:')) throw new Error('no head')
  const events: StrictEvent[] = []
  let open: StrictEvent | undefined
  for (const line of rest) {
    if (line === 'BEGIN:VEVENT' && !open) open = {}
    else if (line === 'END:VEVENT' && open) {
      events.push(whole(open))
      open = undefined
    } else if (open) addTo(open, line)
    else throw new Error(`a line out of place: ${line}`)
  }
  if (open) throw new Error('an event without end')
  if (new Set(events.map(({ UID }) => UID)).size !== events.length) throw new Error('a UID twice')
  return { name: unescaped(calName.slice('X-WR-CALNAME:'.length)), events }
}

function unfolded(text: string): string[] {
  const physical = text.split('\r\n')
  if (physical.pop() !== '') throw new Error('no line break at the end')
  const lines: string[] = []
  for (const line of physical) {
    if (/\p{Cc}/u.test(line)) throw new Error(`a control character: ${JSON.stringify(line)}`)
    if (Buffer.byteLength(line) > 75) throw new Error(`a line too long: ${line}`)
    if (line.startsWith(' ')) lines.push(`${lines.pop()}${line.slice(1)}`)
    else lines.push(line)
  }
  return lines
}

function addTo(event: StrictEvent, line: string): void {
  const [, name = '', value = ''] = /^([A-Z-]+(?:;VALUE=DATE)?):(.*)$/su.exec(line) ?? []
  const grammar = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!grammar?.test(value) || name in event) throw new Error(`not a line of an event: ${line}`)
  event[name] = texts.includes(name) ? unescaped(value) : value
}

function whole(event: StrictEvent): StrictEvent {
  const value = (name: string) => event[`${name};VALUE=DATE`] ?? event[name] ?? ''
  const [start, end] = [value('DTSTART'), value('DTEND')]
  if (!event.UID || !event.DTSTAMP || start === '' || end <= start)
    throw new Error('an event lacks something')
  return event
}

function unescaped(value: string): string {
  if (!/^(?:[^\\;,]|\\[\\;,n])*$/su.test(value)) throw new Error(`not escaped: ${value}`)
  return value.replaceAll(/\\(.)/gsu, (_all, found) => (found === 'n' ? '\n' : found))
}
