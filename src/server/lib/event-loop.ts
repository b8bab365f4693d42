/** Lets other requests have their turn: what is long goes on afterwards. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
