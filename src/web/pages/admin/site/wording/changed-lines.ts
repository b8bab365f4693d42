import { diffArrays } from 'diff'

/** Lines that one of two texts has in place of the other's. */
export type LineChange = { mine: string; theirs: string }

/** Where two texts differ, from top to bottom; lines that are alike are left out. */
export function changedLines(mine: string, theirs: string): LineChange[] {
  const changes: LineChange[] = []
  let current: { mine: string[]; theirs: string[] } | undefined
  const end = () => {
    if (current) changes.push({ mine: current.mine.join('\n'), theirs: current.theirs.join('\n') })
    current = undefined
  }
  for (const { added, removed, value } of diffArrays(mine.split('\n'), theirs.split('\n'))) {
    if (!added && !removed) {
      end()
      continue
    }
    current ??= { mine: [], theirs: [] }
    current[added ? 'theirs' : 'mine'].push(...value)
  }
  end()
  return changes
}
