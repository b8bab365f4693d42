import { z } from 'zod'
import { userView } from '../../../domain/accounts/account.ts'
import {
  challengeForm,
  factorsResponse,
  factorView,
  idInput,
  passkeyForm,
  passkeyLoginForm,
  recoveryCodesResponse,
  stepUpForm,
  stepUpResponse,
  totpConfirmForm,
  totpSetupForm,
  totpSetupResponse,
} from '../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers } from '../../../domain/accounts/account-safety-messages.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import { checked, limitedByAddress, publicProcedure, router, sessionProcedure } from '../../kernel/trpc.ts'
import { confirmStepUp } from './confirm-step-up.ts'
import { addPasskey, newPasskeyOptions } from './passkeys/add.ts'
import { logInByPasskey, passkeyLoginOptions } from './passkeys/log-in.ts'
import { listFactors } from './queries.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { removeFactor } from './remove-factor.ts'
import { completeSecondStep } from './second-step.ts'
import { confirmTotp, setUpTotp } from './totp-setup.ts'

const sessionResponse = z.strictObject({ token: z.string(), user: userView })
/** The options for `navigator.credentials`, to be parsed by `parse…FromJSON`. */
const passkeyOptions = z.strictObject({ options: z.record(z.string(), z.unknown()) })

export const factorsRouter = router({
  challenge: publicProcedure
    .meta({
      summary: 'The second step of a login: exactly one of `code` and `recoveryCode`',
      rest: ['POST /api/factor/challenge'],
    })
    .use(limitedByAddress('secondStepByAddress'))
    .input(challengeForm)
    .output(checked(sessionResponse))
    .mutation(({ ctx, input }) => completeSecondStep(ctx.deps, ctx.actor, input)),
  list: sessionProcedure
    .meta({ summary: 'The caller’s own factors, without secrets', rest: ['GET /api/factor'] })
    .output(checked(factorsResponse))
    .query(({ ctx }) => listFactors(ctx.deps, ctx.actor)),
  setUpTotp: sessionProcedure
    .meta({
      summary: 'Begin the setup of an authenticator app; the only response that contains the secret',
      rest: ['POST /api/factor/totp'],
      ownLimit: true,
      stepUp: 'sometimes',
    })
    .input(totpSetupForm)
    .output(checked(totpSetupResponse))
    .mutation(({ ctx, input }) => setUpTotp(ctx.deps, ctx.actor, input)),
  confirmTotp: sessionProcedure
    .meta({
      summary: 'Confirm the setup by a code; recovery codes, shown once',
      rest: ['POST /api/factor/totp/confirm'],
      ownLimit: true,
      stepUp: 'sometimes',
    })
    .input(totpConfirmForm)
    .output(checked(recoveryCodesResponse))
    .mutation(({ ctx, input }) => confirmTotp(ctx.deps, ctx.actor, input)),
  remove: sessionProcedure
    .meta({ summary: 'Remove a factor', rest: ['DELETE /api/factor/{id}'], stepUp: 'always' })
    .input(idInput)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await removeFactor(ctx.deps, ctx.actor, input.id)
      return { message: safetyAnswers.factorRemoved }
    }),
  newRecoveryCodes: sessionProcedure
    .meta({
      summary: 'Create new recovery codes, shown once; the old ones stop working',
      rest: ['POST /api/factor/recovery-codes'],
      stepUp: 'always',
    })
    .output(checked(recoveryCodesResponse))
    .mutation(({ ctx }) => makeRecoveryCodes(ctx.deps, ctx.actor)),
  passkeyOptions: sessionProcedure
    .meta({
      summary: 'What `navigator.credentials.create` needs for a new passkey',
      rest: ['POST /api/factor/passkey/options'],
      stepUp: 'always',
    })
    .output(checked(passkeyOptions))
    .mutation(async ({ ctx }) => ({ options: await newPasskeyOptions(ctx.deps, ctx.actor) })),
  addPasskey: sessionProcedure
    .meta({ summary: 'Add a passkey', rest: ['POST /api/factor/passkey'], status: 201, stepUp: 'always' })
    .input(passkeyForm)
    .output(checked(z.strictObject({ factor: factorView })))
    .mutation(async ({ ctx, input }) => ({ factor: await addPasskey(ctx.deps, ctx.actor, input) })),
  passkeyLoginOptions: publicProcedure
    .meta({
      summary: 'What `navigator.credentials.get` needs for a login or a step-up; the same for everybody',
      rest: ['POST /api/factor/passkey/login-options'],
    })
    .use(limitedByAddress('passkeyLoginByAddress'))
    .output(checked(passkeyOptions))
    .mutation(async ({ ctx }) => ({ options: await passkeyLoginOptions(ctx.deps) })),
  passkeyLogin: publicProcedure
    .meta({
      summary: 'Log in by a passkey, which counts as both steps',
      rest: ['POST /api/factor/passkey/login'],
    })
    .use(limitedByAddress('passkeyLoginByAddress'))
    .input(passkeyLoginForm)
    .output(checked(sessionResponse))
    .mutation(({ ctx, input }) => logInByPasskey(ctx.deps, ctx.actor, input.credential)),
  stepUp: sessionProcedure
    .meta({
      summary: 'Confirm that it is you: exactly one proof; five wrong ones end the session',
      rest: ['POST /api/factor/step-up'],
      ownLimit: true,
      stepUp: 'never',
    })
    .input(stepUpForm)
    .output(checked(stepUpResponse))
    .mutation(({ ctx, input }) => confirmStepUp(ctx.deps, ctx.actor, input)),
})
