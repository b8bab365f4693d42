import type { Deps } from '../kernel/deps.ts'

export async function freshenFeeds(_deps: Deps): Promise<string[]> {
  return []
}
