import { listPasskeyNotices } from '../../../auth/factors/passkeys/queries.ts'
import type { Check } from '../notice.ts'

/** Passkeys that were rejected, and those that do not work at this site's address. */
export const passkeys: Check = listPasskeyNotices
