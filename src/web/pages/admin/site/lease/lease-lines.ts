/** The line of the cursor, from 1. */
export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

/** Where a line begins and ends; undefined for a line that is not there. */
export function rangeOfLine(text: string, line: number): { start: number; end: number } | undefined {
  const lines = text.split('\n')
  const words = lines[line - 1]
  if (words === undefined) return undefined
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return { start, end: start + words.length }
}

/** The line that a fault names: 12 of 'Line 12 of the lease template has …'. */
export function lineOfFault(fault: string): number | undefined {
  const [, line] = /^Line (\d+)\b/.exec(fault) ?? []
  return line === undefined ? undefined : Number(line)
}
