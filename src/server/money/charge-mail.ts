import type { Tx } from '../../../db/open.ts'
import { cancelUnsentMail } from '../messages/outbox.ts'
import { allCharges } from './records.ts'

/** Dedupe key of the mail about an added charge. Voiding the charge withdraws the mail if it is unsent. */
export const chargeMailKey = (chargeId: string): string => `charge-added:${chargeId}`

/** Withdraws the unsent mails about an application's charges. */
export function withdrawChargeMails(tx: Tx, applicationId: string): void {
  for (const { id } of allCharges(tx, applicationId)) cancelUnsentMail(tx, chargeMailKey(id))
}
