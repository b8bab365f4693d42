import { AppError, fieldError } from '../../domain/common/errors.ts'
import { leaseMessages } from '../../domain/leases/lease.ts'
import { type SignatureInput, signingError, signingMode } from '../../domain/leases/lease-signing.ts'
import type { Deps } from '../kernel/deps.ts'
import { createTally } from '../lib/tally.ts'
import { signatureSizeError } from '../workers/pdf/signature-size.ts'

// What every signature shares: with the session or by an own link, on a lease or an addendum.

export const emailChangedMessage = 'Your email has changed meanwhile. Please sign again.'
export const leaseChangedMessage =
  'The lease has changed since it was shown to you. Please read it again before you sign.'

export const noticeChangedMessage =
  'The notice about electronic records and signatures has changed since it was shown to you. Please reload the page and read it again before you sign.'

const busy = createTally()

/**
 * A signature can be 2 MB and stays in memory until the PDF is drawn, so each person signs one document at a time.
 * @throws AppError conflict while this person is signing something already
 */
export async function oneAtATime<T>(personId: string, sign: () => Promise<T>): Promise<T> {
  if (busy.of(personId) > 0) throw new AppError('conflict', 'You are signing already. Please wait a moment.')
  const leave = busy.enter(personId)
  try {
    return await sign()
  } finally {
    leave()
  }
}

/** Compares the hash of what the signer was shown with the text or notice to sign. @throws AppError conflict */
export function requireShown(shown: string | undefined, signed: string, message: string): void {
  if (shown !== undefined && shown !== signed) throw new AppError('conflict', message)
}

/** Checks everything but the images. @throws AppError bad_request at the missing field */
export function requireComplete(given: SignatureInput, hasCoSigner = false): void {
  const problem = signingError(given, hasCoSigner)
  if (problem) throw fieldError(problem.field, problem.message)
}

/** Checks the images by their first bytes. @throws AppError bad_request at the field */
export function requireImages(given: SignatureInput): void {
  for (const field of ['signatureImageBase64', 'signatureImageBase64_2'] as const) {
    const problem = given[field] && signatureSizeError(given[field])
    if (problem) throw fieldError(field, problem)
  }
}

/** The PNG of a signature, which a typed one need not have. @throws AppError bad_request for an unreadable image or an empty drawing; unavailable */
export async function readImage({ renderer }: Deps, given: SignatureInput, which: '' | '_2' = '') {
  const field = `signatureImageBase64${which}` as const
  const text = given[field]
  const png = text
    ? await renderer.signatureImage(text).catch(error => {
        throw error instanceof AppError && error.code === 'bad_request'
          ? fieldError(field, error.message)
          : error
      })
    : undefined
  if (signingMode(given) === 'draw' && !png)
    throw fieldError(field, which ? leaseMessages.drawMissing2 : leaseMessages.drawMissing)
  return png
}
