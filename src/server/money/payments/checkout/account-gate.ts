import { AppError } from '../../../../domain/common/errors.ts'

let changes = 0

/**
 * Not while the provider's account changes: a checkout would be paid into the former one.
 * @throws AppError unavailable
 */
export function requireAccountStays(): void {
  if (changes === 0) return
  const message = 'Card payments are being changed. Please try again in a minute.'
  throw new AppError('unavailable', message, { retryAfterSeconds: 60 })
}

/** Changes the provider's account; no checkout is opened meanwhile. */
export async function whileNoneOpens<T>(change: () => Promise<T>): Promise<T> {
  changes++
  try {
    return await change()
  } finally {
    changes--
  }
}
