import { z } from 'zod'

/** Mails about an application, which can contain its dates. */
export const applicationMailKinds = [
  'application-received',
  'application-approved',
  'application-declined',
  'lease-ready',
  'booking-complete',
] as const
/** Mails by the clock of a stay (STAY-34). */
export const stayMailKinds = [
  'stay-missing',
  'stay-open',
  'stay-tomorrow',
  'stay-checkout',
  'stay-thanks',
] as const
export type StayMailKind = (typeof stayMailKinds)[number]
/** Mails to tenants whose wording the owner may change (LTEXT-07). */
export const mailWordingKinds = [
  ...applicationMailKinds,
  'lease-signed-copy',
  'payment-receipt',
  ...stayMailKinds,
] as const
export type MailWordingKind = (typeof mailWordingKinds)[number]

/** Documents that are signed, and mails: wordings that the owner may change. Other mails, such as password resets, are not among them. */
export const documentKinds = ['lease', 'addendum'] as const
export type DocumentKind = (typeof documentKinds)[number]
export const wordingKinds = [...documentKinds, ...mailWordingKinds] as const
export type WordingKind = (typeof wordingKinds)[number]

/** Whether the owner may change a wording of this kind. */
export const isWordingKind = (kind: string): kind is WordingKind =>
  (wordingKinds as readonly string[]).includes(kind)

/** Whether the wording is that of a document, not of a mail. */
export const isDocumentKind = (kind: WordingKind): kind is DocumentKind =>
  (documentKinds as readonly string[]).includes(kind)

export const wordingLabels: Record<WordingKind, string> = {
  lease: 'Lease',
  addendum: 'Addendum',
  'application-received': 'Application received',
  'application-approved': 'Application approved',
  'application-declined': 'Application declined',
  'lease-ready': 'Lease ready to sign',
  'booking-complete': 'Booking complete',
  'lease-signed-copy': 'Copy of the signed lease',
  'payment-receipt': 'Payment receipt',
  'stay-missing': 'Before arrival: what is missing',
  'stay-open': 'Arrival information is open',
  'stay-tomorrow': 'Arrival is tomorrow',
  'stay-checkout': 'Day of departure',
  'stay-thanks': 'Thanks after the stay',
}

export const wordingMessages = {
  stale: 'This wording was changed by somebody else meanwhile.',
} as const

/** Maximum length of a lease, and of the fields of a mail, in characters (LTEXT-01, LTEXT-07). */
export const maxLeaseCharacters = 40_000
export const mailWordingLimits = {
  subject: 120,
  title: 120,
  greeting: 80,
  text: 1500,
  next: 1500,
  button: 40,
} as const
/** How many versions a list of them has per page (FIX-35). */
export const versionPageSize = 50
/** The page of a list of versions. */
export const versionPage = z
  .number('Please enter a page number')
  .int()
  .min(1, 'Please enter a page number')
  .max(1e6)
  .default(1)

/** Maximum length of a note about a saved wording or a published version. */
export const maxVersionNote = 200

/** A placeholder that a wording may use, as shown in the editor's chips. */
export type WordingPlaceholder = { name: string; meaning: string; sample: string; needed: boolean }
