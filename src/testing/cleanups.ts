const cleanups: Array<() => void | Promise<void>> = []

/** Runs this when the test under way has ended, whatever its outcome; the last one first. */
export function afterThisTest(cleanup: () => void | Promise<void>): void {
  cleanups.push(cleanup)
}

/** For `src/testing/setup.ts`, after each test of each file. */
export async function runCleanups(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}
