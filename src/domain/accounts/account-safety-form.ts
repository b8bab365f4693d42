import { z } from 'zod'
import { boundedText } from '../common/inputs.ts'
import { toNormalForm } from '../common/printable.ts'
import { wireMoment } from '../common/wire.ts'
import { emailText } from './account.ts'
import { safetyMessages } from './account-safety-messages.ts'
import { factorKinds, secondSteps } from './factor.ts'
import { parseRecoveryCode } from './recovery-code.ts'

// Inputs and outputs of `/api/factor`, `/api/session` and `/api/person/email`.

/** A six-digit code as typed; spaces and hyphens are ignored. */
export const totpCodeText = z
  .string({ error: 'Please enter the 6-digit code' })
  .max(40, 'Please enter the 6-digit code')
  .transform(text => toNormalForm(text, 'NFKC').replace(/[\s\p{Pd}]/gu, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Please enter the 6-digit code'))

/** A recovery code as typed. */
export const recoveryCodeText = z
  .string({ error: 'Please enter a recovery code' })
  .max(100, 'Please enter a recovery code')
  .refine(text => parseRecoveryCode(text) !== undefined, 'Please enter a recovery code')

const password = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(200, 'Password must be at most 200 characters long')
/** The typed proofs, by method. */
export const proofForms = {
  totp: z.object({ text: totpCodeText }),
  recovery: z.object({ text: recoveryCodeText }),
  password: z.object({ text: password }),
}
/** 32 random bytes; any other text is rejected as unknown. */
const tokenText = (unknown: string) => z.string({ error: unknown }).min(1, unknown).max(200, unknown)

const base64url = (maxLength: number) =>
  z
    .string({ error: safetyMessages.wrongPasskey })
    .min(1, safetyMessages.wrongPasskey)
    .max(maxLength, safetyMessages.wrongPasskey)
    .regex(/^[\w-]+$/, safetyMessages.wrongPasskey)
const credentialIds = { id: base64url(1400), rawId: base64url(1400), type: z.literal('public-key') }
const clientDataJSON = base64url(4000)
const sameIds = ({ id, rawId }: { id: string; rawId: string }) => id === rawId

/** Result of `navigator.credentials.create`, as serialized by its `toJSON`. */
export const newCredential = z
  .object({
    ...credentialIds,
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(20_000),
      transports: z.array(z.string().max(40)).max(10).optional(),
    }),
  })
  .refine(sameIds, safetyMessages.wrongPasskey)

/** Result of `navigator.credentials.get`, as serialized by its `toJSON`. */
export const usedCredential = z
  .object({
    ...credentialIds,
    response: z.object({
      clientDataJSON,
      authenticatorData: base64url(4000),
      signature: base64url(8000),
      userHandle: base64url(200).nullish(),
    }),
  })
  .refine(sameIds, safetyMessages.wrongPasskey)

const exactlyOne =
  <Name extends string>(names: readonly Name[]) =>
  (input: Partial<Record<Name, unknown>>) =>
    names.filter(name => input[name] !== undefined).length === 1

/** POST /api/factor/challenge */
export const challengeForm = z
  .object({
    challenge: tokenText(safetyMessages.loginAgain),
    code: totpCodeText.optional(),
    recoveryCode: recoveryCodeText.optional(),
  })
  .refine(exactlyOne(['code', 'recoveryCode']), { path: ['code'], error: 'Please enter the 6-digit code' })
/** POST /api/factor/totp */
export const totpSetupForm = z.object({ password })
/** POST /api/factor/totp/confirm */
export const totpConfirmForm = z.object({ code: totpCodeText })
/** POST /api/person/email/code/confirm */
export const mailboxCodeForm = z.object({ code: totpCodeText })
/** DELETE /api/factor/{id}, DELETE /api/session/{id} */
export const idInput = z.object({ id: z.string().min(1).max(100) })
const nameRule = 'Please use 1 to 60 characters'
/** POST /api/factor/passkey */
export const passkeyForm = z.object({
  name: boundedText(120, nameRule, nameRule)
    .min(1, nameRule)
    .refine(text => [...text].length <= 60, nameRule)
    .refine(text => !/\p{C}/u.test(text), 'Please use letters only'),
  credential: newCredential,
})
/** POST /api/factor/passkey/login */
export const passkeyLoginForm = z.object({ credential: usedCredential })
/** POST /api/factor/step-up */
export const stepUpForm = z
  .object({
    password: password.optional(),
    code: totpCodeText.optional(),
    recoveryCode: recoveryCodeText.optional(),
    credential: usedCredential.optional(),
  })
  .refine(exactlyOne(['password', 'code', 'recoveryCode', 'credential']), safetyMessages.stepUp)
/** POST /api/session/not-me, POST /api/person/email/confirm and /undo */
export const linkForm = z.object({ token: tokenText(safetyMessages.invalidLink) })
/** POST /api/person/email */
export const emailChangeForm = z.object({ newEmail: emailText, applicationsToo: z.boolean().default(false) })

/** The response to a correct password if a second step is required. */
export const challengeResponse = z.strictObject({
  challenge: z.string(),
  methods: z.array(z.enum(secondSteps)),
})
/** A factor as its user sees it, without the secret. */
export const factorView = z
  .strictObject({
    id: z.string(),
    kind: z.enum(factorKinds),
    label: z.string(),
    createdAt: wireMoment,
    lastUsedAt: wireMoment.nullable(),
  })
  .meta({ id: 'Factor' })
export const factorsResponse = z.strictObject({
  factors: z.array(factorView),
  recoveryCodesLeft: z.int(),
  /** Whether a mailed link or code was used; setting up a factor requires it. */
  mailboxProven: z.boolean(),
})
export const mailboxCodeResponse = z.strictObject({ expiresAt: wireMoment })
/** The only response that contains the secret. */
export const totpSetupResponse = z.strictObject({
  secret: z.string(),
  otpauthUrl: z.string(),
  qrSvg: z.string(),
})
/** The only response that contains recovery codes. */
export const recoveryCodesResponse = z.strictObject({ recoveryCodes: z.array(z.string()) })
export const stepUpResponse = z.strictObject({ until: wireMoment })
/** A session as its user sees it; `id` is not a credential. */
export const sessionView = z
  .strictObject({
    id: z.string(),
    browser: z.string(),
    address: z.string(),
    createdAt: wireMoment,
    lastUsedAt: wireMoment,
    current: z.boolean(),
  })
  .meta({ id: 'Session' })
export const emailChangeView = z
  .strictObject({
    newEmail: z.string(),
    oldEmail: z.string(),
    createdAt: wireMoment,
    expiresAt: wireMoment,
    confirmedOld: z.boolean(),
    confirmedNew: z.boolean(),
  })
  .meta({ id: 'EmailChange' })
export const emailChangeResponse = z.strictObject({ change: emailChangeView.nullable() })
export const emailLinkResponse = z.strictObject({ state: z.enum(['waiting', 'done', 'undone']) })
