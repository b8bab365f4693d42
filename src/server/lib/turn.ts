/** Lets other requests have their turn: what is long goes on afterwards. */
export const otherTurns = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
