import { listPasskeyNotices } from '../../factors/passkeys/queries.ts'
import type { Check } from '../notice.ts'

/** Passkeys that were refused, and those that do not work at this address of the site. */
export const passkeys: Check = listPasskeyNotices
