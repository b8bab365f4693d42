import { z } from 'zod'

/** What an owner does before visitors see the site, in this order (OPEN-03). */
export const openingLines = [
  'contact',
  'content',
  'reviews',
  'prices',
  'stayRules',
  'taxes',
  'payments',
  'mail',
  'calendars',
  'account',
  'trial',
] as const
export type OpeningLine = (typeof openingLines)[number]

/** Without these the site cannot be opened; the others may be declined. */
export const requiredLines: readonly OpeningLine[] = ['contact', 'content', 'prices', 'mail']

export const lineStates = ['done', 'open', 'declined'] as const

/** The declined lines, as stored. */
export const declinedLines = z.array(z.enum(openingLines)).catch([])
