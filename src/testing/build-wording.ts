import { type MailWording, shippedMailWordings } from '../domain/content/mail-wording.ts'
import { shippedLeaseWording } from '../domain/leases/lease-wording.ts'

/** A mail wording that differs from the shipped one. */
export function buildMailWording(overrides: Partial<MailWording> = {}): MailWording {
  return { ...shippedMailWordings['lease-ready'], title: 'Your lease, {{firstName}}', ...overrides }
}

/** The shipped lease wording with one more sentence. */
export const buildLeaseWording = (sentence = 'Bicycles stay outside.') => ({
  text: shippedLeaseWording.text.replace('8. NO SMOKING', `${sentence}\n\n8. NO SMOKING`),
})
