import type { SignedIn } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { networkOf } from '../lib/network.ts'

/** Limits memory use: scans are buffered until they are complete and checked. */
const maxConcurrentUploads = 12
/** Tenants must not keep administrators from uploading. */
const reservedForAdmins = 2
/** Anybody can apply: who does must not keep guests with a booking or a lease from uploading. */
const maxUnbooked = 4
/** A slow upload takes up to two minutes, so one person or network must not fill all of them (FIX-36). */
const maxPerPerson = 2
const maxPerNetwork = 4

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
  const active = new Map<string, number>()
  return async (actor, upload, { isBooked } = { isBooked: true }) => {
    const person = `person ${actor.userId}`
    const network = `network ${networkOf(actor.requestOrigin.address)}`
    const keys = ['all', person, network, ...(isBooked ? [] : ['unbooked'])]
    const usedOf = (key: string) => active.get(key) ?? 0
    if (usedOf(person) >= maxPerPerson || usedOf(network) >= maxPerNetwork)
      throw new AppError('too_many', 'Please wait until your other uploads are complete.', {
        retryAfterSeconds: 60,
      })
    const maxOfAll = maxConcurrentUploads - (actor.role === 'admin' ? 0 : reservedForAdmins)
    if (usedOf('all') >= maxOfAll || (!isBooked && usedOf('unbooked') >= maxUnbooked))
      throw new AppError('unavailable', 'Too many uploads right now. Please try again in a minute.', {
        retryAfterSeconds: 60,
      })
    for (const key of keys) active.set(key, usedOf(key) + 1)
    try {
      return await upload()
    } finally {
      for (const key of keys) {
        if (usedOf(key) > 1) active.set(key, usedOf(key) - 1)
        else active.delete(key)
      }
    }
  }
}
