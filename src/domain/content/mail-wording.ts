import type { z } from 'zod'
import { cleanLine, fields, filled, lineField, type Parsed, parseContent, textField } from './content-text.ts'
import {
  applicationMailKinds,
  mailWordingLimits as limits,
  type MailWordingKind,
  mailWordingKinds,
  stayMailKinds,
  type WordingPlaceholder,
} from './wording.ts'

const schema = fields({
  subject: filled(lineField(limits.subject)),
  title: filled(lineField(limits.title)),
  greeting: lineField(limits.greeting),
  text: filled(textField(limits.text)),
  next: textField(limits.next),
  button: lineField(limits.button),
})
export type MailWording = z.output<typeof schema>

const datedKinds = [...applicationMailKinds, ...stayMailKinds]
type MailPlaceholder = { meaning: string; sample: string; kinds: readonly MailWordingKind[] }

/** The placeholders that a mail's wording may use (LTEXT-08). */
const placeholders = {
  firstName: { meaning: 'First name of the recipient', sample: 'Anna', kinds: mailWordingKinds },
  applicationNumber: {
    meaning: 'Number of the application',
    sample: 'APP-2026-0007',
    kinds: mailWordingKinds,
  },
  companyName: { meaning: 'Name of your company', sample: 'Seabreeze Rentals LLC', kinds: mailWordingKinds },
  propertyName: { meaning: 'Name of the property', sample: 'Seabreeze Condo', kinds: mailWordingKinds },
  ownerEmail: { meaning: 'Your email address', sample: 'owner@seabreeze.example', kinds: mailWordingKinds },
  ownerPhone: { meaning: 'Your phone number', sample: '(555) 010-2030', kinds: mailWordingKinds },
  arrival: { meaning: 'Day of arrival', sample: 'Jun 1, 2026', kinds: datedKinds },
  departure: { meaning: 'Day of departure', sample: 'Sep 13, 2026', kinds: datedKinds },
  checkIn: { meaning: 'Time on the day of arrival', sample: '4:00 PM', kinds: stayMailKinds },
  checkOut: { meaning: 'Time on the day of departure', sample: '10:00 AM', kinds: stayMailKinds },
  total: { meaning: 'Amount paid, with the card fee', sample: '$1,025.00', kinds: ['payment-receipt'] },
  paymentType: { meaning: 'What was paid', sample: 'Rent', kinds: ['payment-receipt'] },
} as const satisfies Record<string, MailPlaceholder>
type MailPlaceholderName = keyof typeof placeholders

export type MailValues = Partial<Record<MailPlaceholderName, string>>

/** The sample value of each placeholder. */
export const mailSamples = Object.fromEntries(
  Object.entries(placeholders).map(([name, { sample }]) => [name, sample]),
) as Record<MailPlaceholderName, string>

/** The placeholders of a kind of mail, with known values or else samples; none of them is required. */
export function mailPlaceholders(kind: MailWordingKind, known: MailValues = {}): WordingPlaceholder[] {
  const samples: Record<string, string> = { ...mailSamples, ...known }
  return Object.entries<MailPlaceholder>(placeholders).flatMap(([name, { kinds, meaning }]) =>
    kinds.includes(kind) ? [{ name, meaning, sample: samples[name] ?? '', needed: false }] : [],
  )
}

const pattern = /\{\{([^{}]*)\}\}/g

/** A mail wording cleaned for storage, or its errors by field (LTEXT-07, LTEXT-08). */
export function parseMailWording(kind: MailWordingKind, given: unknown): Parsed<MailWording> {
  const parsed = parseContent(schema, given)
  if (parsed.fields !== undefined) return parsed
  const known = mailPlaceholders(kind).map(({ name }) => name)
  const unknown = Object.entries(parsed.body).flatMap(([field, words]) => {
    const names = [...words.matchAll(pattern)].map(([, name = '']) => name.trim())
    const first = names.find(name => !known.includes(name))
    return first === undefined ? [] : [[field, `Unknown placeholder {{${first}}}`]]
  })
  return unknown.length > 0 ? { fields: Object.fromEntries(unknown) } : parsed
}

/**
 * Splits a text at its placeholders and fills them in, in one pass. Each value is single-line text and never acts as a
 * placeholder. An empty value also removes the space before it: 'Hello {{firstName}},' becomes 'Hello,'.
 */
export function splitMailText(words: string, values: MailValues): string[] {
  const filledIn = words.replaceAll(/ ?\{\{([^{}]*)\}\}/g, (placeholder, name: string) =>
    values[name.trim() as MailPlaceholderName] === '' ? '' : placeholder,
  )
  return filledIn.split(/(\{\{[^{}]*\}\})/).flatMap((part, at) => {
    if (at % 2 === 0) return part === '' ? [] : [part]
    const name = part.slice(2, -2).trim()
    return [Object.hasOwn(values, name) ? cleanLine(values[name as MailPlaceholderName] ?? '') : part]
  })
}

/** The same as a single text. */
export const interpolateMail = (words: string, values: MailValues): string =>
  splitMailText(words, values).join('')

const greeting = 'Hello {{firstName}},'

/** The wordings that the mails ship with. */
export const shippedMailWordings: Record<MailWordingKind, MailWording> = {
  'application-received': {
    subject: 'We have your application ({{applicationNumber}})',
    title: 'We have your application',
    greeting,
    text: 'Thank you for applying. Your application is with the owner now.',
    next: 'A review typically takes 1-2 business days. We will write to you as soon as it is done. Nothing is charged now.',
    button: 'View your application',
  },
  'application-approved': {
    subject: 'Your application is approved ({{applicationNumber}})',
    title: 'Your application is approved',
    greeting,
    text: 'The owner has approved your application.',
    next: 'Next comes your lease. We will write to you when it is ready to sign; the remaining steps are on your dashboard.',
    button: 'See the next steps',
  },
  'application-declined': {
    subject: 'We cannot offer you these dates ({{applicationNumber}})',
    title: 'We cannot offer you these dates',
    greeting,
    text: 'Thank you for your interest. We are sorry that we could not accept your application this time.',
    next: 'You are welcome to apply again for other dates, or to write to us with any question.',
    button: 'View your application',
  },
  'lease-ready': {
    subject: 'Your lease is ready to sign ({{applicationNumber}})',
    title: 'Your lease is ready to sign',
    greeting,
    text: 'The lease for your stay has been prepared. Please read it and sign it, right in the portal or on paper.',
    next: 'Signing charges nothing. Your payment comes after it, online or in another way.',
    button: 'Read and sign the lease',
  },
  'booking-complete': {
    subject: 'Your stay is booked ({{applicationNumber}})',
    title: 'Your stay is booked',
    greeting,
    text: 'Everything is in place and your booking is confirmed.',
    next: 'We look forward to welcoming you on {{arrival}}.',
    button: 'View your booking',
  },
  'lease-signed-copy': {
    subject: 'The lease is signed ({{applicationNumber}})',
    title: 'The lease is signed',
    greeting,
    text: 'The lease for booking {{applicationNumber}} is signed. Your copy is attached.',
    next: 'Please keep it. The same file stays available in the portal, where you also see what is to be paid next.',
    button: 'Open the booking',
  },
  'payment-receipt': {
    subject: 'Your receipt for {{total}}',
    title: 'Your receipt for {{total}}',
    greeting,
    text: 'Thank you. We received your payment of {{total}}. This is your receipt; it is attached as a PDF too.',
    next: '',
    button: 'See all your payments',
  },
  'stay-missing': {
    subject: 'Still missing before you arrive ({{applicationNumber}})',
    title: 'Still missing before you arrive',
    greeting,
    text: 'You arrive on {{arrival}}. Your arrival information opens once this is done:',
    next: 'Your stay page shows what is done and what is not.',
    button: 'Open your stay',
  },
  'stay-open': {
    subject: 'Your arrival information is open ({{applicationNumber}})',
    title: 'Your arrival information is open',
    greeting,
    text: 'Your stay page now shows how to get in, and whom to call. You can come in from {{arrival}}, {{checkIn}}.',
    next: 'For your safety the code and the Wi-Fi are on that page only, never in an email.',
    button: 'Open your stay',
  },
  'stay-tomorrow': {
    subject: 'See you tomorrow ({{applicationNumber}})',
    title: 'See you tomorrow',
    greeting,
    text: 'You arrive tomorrow, {{arrival}}. You can come in from {{checkIn}}.',
    next: 'Your stay page shows the way, and how to get in.',
    button: 'Open your stay',
  },
  'stay-checkout': {
    subject: 'Before you leave ({{applicationNumber}})',
    title: 'Before you leave',
    greeting,
    text: 'Your stay ends on {{departure}}. Please leave by {{checkOut}}.',
    next: 'Thank you, and a safe trip home.',
    button: 'Open your stay',
  },
  'stay-thanks': {
    subject: 'Thank you for your stay ({{applicationNumber}})',
    title: 'Thank you for your stay',
    greeting,
    text: 'We hope that you had a good time at {{propertyName}}.',
    next: 'You are welcome to come back at any time.',
    button: 'View your booking',
  },
}
