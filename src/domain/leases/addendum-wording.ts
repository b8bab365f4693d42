import { cleanText, type Parsed } from '../content/content-text.ts'
import type { WordingPlaceholder } from '../content/wording.ts'
import { addendumTemplate } from './addendum-template.ts'
import { type AddendumData, addendumPlaceholders, checkAddendumTemplate } from './addendum-text.ts'
import { type LeaseWording, leaseMeanings, parseDocumentWording, sampleLease } from './lease-wording.ts'

/** The wording of addenda that the site ships with. */
export const shippedAddendumWording: LeaseWording = { text: cleanText(addendumTemplate) }

/** A wording cleaned for storage, or all its errors, as of a lease (LTEXT-01). */
export const parseAddendumWording = (given: unknown): Parsed<LeaseWording> =>
  parseDocumentWording(given, checkAddendumTemplate)

const meanings: Record<string, string> = {
  ...leaseMeanings,
  number: 'Number of the addendum',
  leaseSha256: 'The hash of the lease that it changes',
  changes: 'Each changed term before and after, a line each',
  lines: 'What is charged more or less, a line each',
  newSum: 'What is due before and after, in words',
  payments: 'The payments of what is added; nothing where there is no payment plan',
}

/** An addendum to the sample lease: two weeks more. */
export const sampleAddendum: AddendumData = {
  ...sampleLease,
  number: 1,
  leaseSha256: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
  before: { startDate: '2026-06-01', endDate: '2026-09-13', rentCents: 2500_00, depositCents: 500_00 },
  after: { startDate: '2026-06-01', endDate: '2026-09-27', rentCents: 2500_00, depositCents: 500_00 },
  lines: [{ label: 'Rent (Addendum No. 1)', amountCents: 1166_67 }],
  owedBeforeCents: 9175_00,
  instalments: [{ label: 'Rent (Addendum No. 1)', amountCents: 1166_67, dueDate: '2026-09-10' }],
}

/** The placeholders of an addendum with their values in `data`. */
export const addendumWordingPlaceholders = (data: AddendumData): WordingPlaceholder[] =>
  addendumPlaceholders(data).map(({ name, needed, value }) => ({
    name,
    needed,
    sample: value,
    meaning: meanings[name] ?? '',
  }))
