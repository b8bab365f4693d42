import { z } from 'zod'
import { mailSection, stripeSection } from '../../domain/content/connections.ts'
import { sectionVersion } from '../../domain/content/settings-section.ts'
import { secretView } from '../kernel/sealed-settings.ts'

const state = {
  version: sectionVersion,
  source: z.enum(['server', 'demo', 'here']),
  /** Whether it works: mails are sent, or guests can pay by card. */
  on: z.boolean(),
}

export const mailView = z.strictObject({
  ...state,
  body: mailSection.body,
  secrets: z.strictObject({ password: secretView }),
  /** Whether the saved settings are those in use; else a test mail has to arrive. */
  isTested: z.boolean(),
  /** Whether the digits of a test mail of the saved settings can be typed. */
  isCodeSent: z.boolean(),
})
export type MailView = z.infer<typeof mailView>

export const stripeView = z.strictObject({
  ...state,
  body: stripeSection.body,
  secrets: z.strictObject({ secretKey: secretView, webhookSecret: secretView }),
  isLive: z.boolean(),
  /** For an endpoint that the owner makes, because the key may not. */
  webhook: z.strictObject({ url: z.string(), events: z.array(z.string()) }),
})
export type StripeView = z.infer<typeof stripeView>

/** What the mail server said, and what the sender's domain lacks. */
export const mailTestView = z.strictObject({ words: z.string(), advice: z.array(z.string()) })
export const mailOnView = z.strictObject({ on: z.boolean() })
