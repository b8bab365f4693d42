import { z } from 'zod'
import { wireMoment } from '../../../domain/common/wire.ts'
import { wordingKinds } from '../../../domain/content/wording.ts'
import { personView } from '../content/versioned.ts'

const of = {
  kind: z.enum(wordingKinds),
  label: z.string(),
  /** 0 until a version is saved. */
  version: z.int(),
  /** Whether it is the shipped wording. */
  shipped: z.boolean(),
  at: wireMoment.nullable(),
  by: personView.nullable(),
}

/** A lease has a text; a mail has subject, title, greeting, text, next and button. */
export const wordingBody = z.record(z.string(), z.string())

export const wordingSummary = z.strictObject(of)
export type WordingSummary = z.infer<typeof wordingSummary>
export const wordingView = z
  .strictObject({
    ...of,
    body: wordingBody,
    placeholders: z.array(
      z.strictObject({ name: z.string(), meaning: z.string(), sample: z.string(), needed: z.boolean() }),
    ),
    note: z.string(),
  })
  .meta({ id: 'Wording' })
export type WordingView = z.infer<typeof wordingView>
export const wordingVersionView = z.strictObject({
  version: z.int(),
  at: wireMoment,
  by: personView.nullable(),
  note: z.string(),
  /** Whether it is the shipped wording. */
  shipped: z.boolean(),
})
export type WordingVersionView = z.infer<typeof wordingVersionView>
/** Filled with sample data; subject and html for mails. */
export const wordingPreview = z.strictObject({
  text: z.string(),
  subject: z.string().optional(),
  html: z.string().optional(),
})
export type WordingPreview = z.infer<typeof wordingPreview>
