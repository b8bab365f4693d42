import { AppError, fieldError } from '../../domain/common/errors.ts'
import type { Deps } from '../kernel/deps.ts'

// What every kind of signature shares.

export const leaseChangedMessage =
  'The lease has changed since it was shown to you. Please read it again before you sign.'

export const noticeChangedMessage =
  'The notice about electronic records and signatures has changed since it was shown to you. Please reload the page and read it again before you sign.'

export const signingAlready = () => new AppError('conflict', 'You are signing already. Please wait a moment.')

/** The PNG of a signature. @throws AppError bad_request at the field for one that cannot be read; unavailable */
export async function readImage({ renderer }: Deps, field: string, text: string) {
  try {
    return await renderer.signatureImage(text)
  } catch (error) {
    throw error instanceof AppError && error.code === 'bad_request' ? fieldError(field, error.message) : error
  }
}
