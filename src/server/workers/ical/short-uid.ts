import { sha256 } from '../../lib/sha256.ts'

/** No platform writes longer ones. */
const maxUidLength = 200
/** Longer than the UIDs of our exports, which are recognized by their end (CAL-46). */
const tailLength = 100
/** An earlier version stored UIDs up to this length, which must still match. */
const oldMaxLength = 1000

/** A UID of bounded length: of a long one, its hash and its end. */
export function shortUid(uid: string): string {
  if (uid.length <= maxUidLength) return uid
  const old = uid.slice(0, oldMaxLength)
  return `${sha256(old)} ${old.slice(-tailLength)}`
}
