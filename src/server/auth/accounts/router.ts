import { z } from 'zod'
import {
  accountHistory,
  adminChangePasswordForm,
  forgotForm,
  loginForm,
  passwordChange,
  passwordReset,
  profileChange,
  registration,
  userView,
} from '../../../domain/accounts/account.ts'
import { forgotResponse } from '../../../domain/accounts/account-rules.ts'
import { challengeResponse } from '../../../domain/accounts/account-safety-form.ts'
import { recordId } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  publicProcedure,
  router,
  sessionProcedure,
  whenOpen,
} from '../../kernel/trpc.ts'
import { changePassword, requestPasswordReset, resetPassword } from './password-service.ts'
import { getProfile, getUser, logIn, logOut, register, updateProfile } from './service.ts'

const sessionResponse = z.strictObject({ token: z.string(), user: userView })
const userResponse = z.strictObject({ user: userView })
const passwordChanged = { message: 'Password changed successfully' }

export const accountsRouter = router({
  login: publicProcedure
    .meta({
      summary:
        'Log in; the token goes into the Authorization header. Where the account has a second step: `challenge` and `methods`',
      rest: ['POST /api/auth/login'],
    })
    .use(limitedByAddress('loginByAddress'))
    .input(loginForm)
    .output(checked(z.union([sessionResponse, challengeResponse])))
    .mutation(({ ctx, input }) => logIn(ctx.deps, ctx.actor, input)),
  register: publicProcedure
    .use(whenOpen)
    .meta({ summary: 'Create a tenant account', rest: ['POST /api/auth/register'], status: 201 })
    .use(limitedByAddress('registerByAddress'))
    .input(registration)
    .output(checked(sessionResponse))
    .mutation(({ ctx, input }) => register(ctx.deps, ctx.actor, input)),
  verify: sessionProcedure
    .meta({
      summary: 'Check whether the token is valid',
      rest: ['GET /api/auth/verify'],
      failure: {
        schema: z.strictObject({ valid: z.literal(false), error: z.string() }),
        from: ({ error }) => ({ valid: false, error }),
      },
    })
    .output(checked(z.strictObject({ valid: z.literal(true), user: userView })))
    .query(({ ctx }) => ({ valid: true as const, user: getProfile(ctx.deps, ctx.actor) })),
  logout: publicProcedure
    .meta({ summary: 'End the session; succeeds without one too', rest: ['POST /api/auth/logout'] })
    .output(checked(messageResponse))
    .mutation(async ({ ctx }) => {
      await logOut(ctx.deps, ctx.sessionId)
      return { message: 'Logged out successfully' }
    }),
  profile: sessionProcedure
    .meta({ summary: 'The caller’s account', rest: ['GET /api/auth/profile'] })
    .output(checked(userResponse))
    .query(({ ctx }) => ({ user: getProfile(ctx.deps, ctx.actor) })),
  updateProfile: sessionProcedure
    .meta({
      summary: 'Change name or phone; missing fields stay unchanged',
      rest: ['PUT /api/auth/profile'],
      stepUp: 'never',
    })
    .input(profileChange)
    .output(checked(userResponse))
    .mutation(async ({ ctx, input }) => ({ user: await updateProfile(ctx.deps, ctx.actor, input) })),
  changePassword: sessionProcedure
    .meta({
      ownLimit: true,
      summary: 'Change the password; all other sessions end',
      rest: ['PUT /api/auth/change-password', 'POST /api/auth/change-password'],
      stepUp: 'sometimes',
    })
    .input(passwordChange)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await changePassword(ctx.deps, ctx.actor, ctx.sessionId, input)
      return passwordChanged
    }),
  adminChangePassword: adminProcedure
    .meta({
      summary: 'Change the password by the rules for administrators',
      rest: ['POST /api/auth/admin/change-password'],
      stepUp: 'sometimes',
    })
    .input(adminChangePasswordForm)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await changePassword(ctx.deps, ctx.actor, ctx.sessionId, input)
      return passwordChanged
    }),
  forgotPassword: publicProcedure
    .meta({
      summary: 'Ask for a link to set a new password, by mail',
      rest: ['POST /api/auth/forgot-password'],
    })
    .use(limitedByAddress('forgotByAddress'))
    .input(forgotForm)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(ctx.deps, ctx.actor, input)
      return { message: forgotResponse }
    }),
  resetPassword: publicProcedure
    .meta({
      summary: 'Set a new password with the token of a reset link; returns the account’s earlier activity',
      rest: ['POST /api/auth/reset-password'],
    })
    .use(limitedByAddress('resetByAddress'))
    .input(passwordReset)
    .output(checked(z.strictObject({ message: z.string(), before: accountHistory })))
    .mutation(async ({ ctx, input }) => ({
      message: 'Password reset successfully!',
      before: await resetPassword(ctx.deps, ctx.actor, input),
    })),
  getUser: adminProcedure
    .meta({ summary: 'Anybody’s account', rest: ['GET /api/user/{userId}'] })
    .input(z.object({ userId: recordId }))
    .output(checked(userResponse))
    .query(({ ctx, input }) => ({ user: getUser(ctx.deps, ctx.actor, input.userId) })),
})
