const cleanups: Array<() => void | Promise<void>> = []

/** Registers a cleanup to run when the current test ends, passed or failed. The last one registered runs first. */
export function afterThisTest(cleanup: () => void | Promise<void>): void {
  cleanups.push(cleanup)
}

/** `src/testing/setup.ts` calls this after each test. */
export async function runCleanups(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

/** Takes over what has been registered so far, to clean up later. */
export function takeCleanups(): () => Promise<void> {
  const taken = cleanups.splice(0).reverse()
  return async () => {
    for (const cleanup of taken) await cleanup()
  }
}
