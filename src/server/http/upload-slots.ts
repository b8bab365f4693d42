import type { SignedIn } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { createFairShares } from './shares.ts'

/**
 * Limits memory use: scans are buffered until they are complete and checked. A slow upload takes up to two minutes, so one
 * person or network must not fill all of them (FIX-36). Anybody can apply: who does must not keep guests with a booking or
 * a lease from uploading, nor tenants administrators.
 */
const shares = { ofOne: 2, ofNetwork: 4, ofUnbooked: 4 }

/** Runs an upload in a slot, which is free again when it ends. */
export type UploadSlots = <T>(
  actor: SignedIn,
  upload: () => Promise<T>,
  standing?: { isBooked: boolean },
) => Promise<T>

/**
 * Limits concurrent uploads per person, per network and in total. The returned function throws AppError too_many or
 * unavailable, with the number of seconds to wait.
 */
export function createUploadSlots(): UploadSlots {
  const enter = {
    tenant: createFairShares({ ...shares, ofAll: 10 }),
    admin: createFairShares({ ...shares, ofAll: 4 }),
  }
  return async ({ requestOrigin, role, userId: person }, upload, { isBooked } = { isBooked: true }) => {
    const { full, leave } = enter[role](requestOrigin.address, { person, isBooked })
    if (full === 'ofOne' || full === 'ofNetwork')
      throw new AppError('too_many', 'Please wait until your other uploads are complete.', {
        retryAfterSeconds: 60,
      })
    if (!leave)
      throw new AppError('unavailable', 'Too many uploads right now. Please try again in a minute.', {
        retryAfterSeconds: 60,
      })
    try {
      return await upload()
    } finally {
      leave()
    }
  }
}
