import { z } from 'zod'
import { emailText } from '../accounts/account.ts'
import { section, sectionVersion } from './settings-section.ts'

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Please use at most ${max} characters`)
    .refine(text => !/\p{Cc}/u.test(text), 'Please use one line')
const portMessage = 'Please enter a port, 1 to 65535'
const hostName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i
const isHost = (text: string) => hostName.test(text) || z.ipv6().safeParse(text).success

/** The mail server that the owner saves. `tls` encrypts from the first byte, `starttls` after the greeting. */
export const mailSettings = z.object({
  host: line(253).refine(isHost, 'Please enter the name of the mail server'),
  port: z.int(portMessage).min(1, portMessage).max(65_535, portMessage),
  security: z.enum(['tls', 'starttls']),
  user: line(320),
  from: emailText,
  dkimSelector: line(63).refine(text => text === '' || hostName.test(text), 'Please enter the selector only'),
})
export type MailSettings = z.output<typeof mailSettings>

/** Stored as it was validated; the defaults are an empty form. */
export const mailSection = section(
  'mail',
  z.object({
    host: z.string().default(''),
    port: z.int().default(465),
    security: mailSettings.shape.security.default('tls'),
    user: z.string().default(''),
    from: z.string().default(''),
    dkimSelector: z.string().default(''),
  }),
)

/** Spaces around a pasted key are not part of it; those of a password are. */
const secret = z.string().max(500, 'Please use at most 500 characters')
const pasted = (prefix: RegExp, message: string) => secret.trim().refine(text => prefix.test(text), message)

/** A missing secret keeps the saved one. */
export const mailChange = z.object({
  version: sectionVersion,
  body: mailSettings,
  secrets: z.object({ password: secret.optional() }).default({}),
})
export const mailTest = z.object({ to: emailText })
export const mailConfirmation = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Please enter the six digits of the mail'),
})

export const stripeSection = section(
  'stripe',
  z.object({
    publishableKey: z.string().default(''),
    /** The webhook endpoint that the site made; empty if the owner made it. */
    endpointId: z.string().default(''),
    accountId: z.string().default(''),
    /** The account's name at the provider. */
    account: z.string().default(''),
  }),
)

export const stripeChange = z.object({
  version: sectionVersion,
  body: z.object({ publishableKey: pasted(/^pk_(live|test)_/, 'Please enter a key that begins with pk_') }),
  secrets: z
    .object({
      secretKey: pasted(/^(sk|rk)_(live|test)_/, 'Please enter a key that begins with sk_ or rk_').optional(),
      webhookSecret: pasted(/^whsec_/, 'Please enter the secret that begins with whsec_').optional(),
    })
    .default({}),
})

/** Whether a key of the provider takes real money. */
export const isLiveKey = (key: string): boolean => key.split('_')[1] === 'live'
