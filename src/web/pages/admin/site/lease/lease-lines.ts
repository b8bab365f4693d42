/** The line number of the cursor, starting from 1. */
export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

/** The start and end positions of a line; undefined if the line does not exist. */
export function rangeOfLine(text: string, line: number): { start: number; end: number } | undefined {
  const lines = text.split('\n')
  const words = lines[line - 1]
  if (words === undefined) return undefined
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return { start, end: start + words.length }
}

/** The line number in an error message: 12 in 'Line 12 of the lease template has …'. */
export function lineOfError(error: string): number | undefined {
  const [, line] = /^Line (\d+)\b/.exec(error) ?? []
  return line === undefined ? undefined : Number(line)
}
