/** Keeps dates, times, and what has a number (`Dec 10, 2026`, `4:00 PM`, `FL 32000`) together at a line's end; only texts. */
export const noBreak = <T>(text: T) =>
  (typeof text === 'string' ? text.replace(/ (?=\d(?!\d?:\d)|–|[AP]M|[A-Z]+T\b)/g, '\u00a0') : text) as T
