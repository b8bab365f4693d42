/** Lets other requests run before long work continues. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
