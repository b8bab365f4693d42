import { AppError } from '../../../../domain/common/errors.ts'

let changes = 0

/**
 * Rejects a new checkout while the provider's account changes: it would be paid into the former account.
 * @throws AppError unavailable
 */
export function requireAccountStays(): void {
  if (changes === 0) return
  const message = 'Card payments are being changed. Please try again in a minute.'
  throw new AppError('unavailable', message, { retryAfterSeconds: 60 })
}

/** Runs a change of the provider's account; no checkout can be opened in the meantime. */
export async function whileNoneOpens<T>(change: () => Promise<T>): Promise<T> {
  changes++
  try {
    return await change()
  } finally {
    changes--
  }
}
