import { shippedLeaseWording } from '../domain/lease-wording.ts'
import { type MailWording, shippedMailWordings } from '../domain/mail-wording.ts'

/** Words of a mail that are not the shipped ones. */
export function buildMailWording(overrides: Partial<MailWording> = {}): MailWording {
  return { ...shippedMailWordings['lease-ready'], title: 'Your lease, {{firstName}}', ...overrides }
}

/** A lease that says one sentence more than the shipped one. */
export const buildLeaseWording = (sentence = 'Bicycles stay outside.') => ({
  text: shippedLeaseWording.text.replace('8. NO SMOKING', `${sentence}\n\n8. NO SMOKING`),
})
