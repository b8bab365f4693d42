/** Keeps dates, times, and what has a number (`Dec 10, 2026`, `4:00 PM`, `Unit 2B`, `FL 32000`) together at a line's end. */
export const noBreak = (text: string): string => text.replace(/ (?=\d|–|[AP]M\b|[A-Z]{1,4}T\b)/g, '\u00a0')
