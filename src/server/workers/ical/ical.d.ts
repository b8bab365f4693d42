// Types of the parts of ical.js that are used, because TypeScript does not find the package's own types.
declare module 'ical.js' {
  type TimeParts = {
    year: number
    month: number
    day: number
    hour: number
    minute: number
    second: number
    isDate: boolean
  }
  class Timezone {
    static readonly localTimezone: Timezone
    constructor(data: { component: Component })
    /** Seconds ahead of UTC. */
    utcOffset(time: Time): number
  }
  class Time implements TimeParts {
    constructor(parts: TimeParts, zone: Timezone)
    year: number
    month: number
    day: number
    hour: number
    minute: number
    second: number
    isDate: boolean
    toString(): string
  }
  class Recur {
    static fromString(rule: string): Recur
    iterator(start: Time): { next(): Time | null }
  }
  class Component {
    constructor(jCal: unknown)
    getAllSubcomponents(name: string): Component[]
  }
  class Event {
    constructor(vevent: Component)
    readonly uid: string
    readonly sequence: number
    readonly startDate: Time
    readonly endDate: Time
  }
  const ICAL: {
    parse: (text: string) => unknown
    Component: typeof Component
    Event: typeof Event
    Recur: typeof Recur
    Time: typeof Time
    Timezone: typeof Timezone
  }
  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export default ICAL
}
