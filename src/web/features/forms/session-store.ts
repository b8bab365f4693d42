import type { z } from 'zod'

/**
 * Values that live as long as the browser tab and survive its reloads. Storage can be switched off, full or changed
 * by hand: then there is simply nothing to read.
 */
export function readSession<T>(key: string, schema: z.ZodType<T>): T | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export function writeSession(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // What was entered then lives only in the form.
  }
}

export function removeSession(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept either.
  }
}
