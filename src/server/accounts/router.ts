import { z } from 'zod'
import {
  adminChangePasswordForm,
  forgotAnswer,
  forgotForm,
  loginForm,
  passwordChange,
  passwordReset,
  profileChange,
  registration,
} from '../../domain/account.ts'
import { adminProcedure, limitedByAddress, publicProcedure, router, sessionProcedure } from '../trpc.ts'
import { changePassword, requestPasswordReset, resetPassword } from './password-service.ts'
import { getProfile, getUser, logIn, logOut, register, updateProfile } from './service.ts'

const passwordChanged = { message: 'Password changed successfully' }

export const accountsRouter = router({
  login: publicProcedure
    .use(limitedByAddress('loginByAddress'))
    .input(loginForm)
    .mutation(({ ctx, input }) => logIn(ctx.deps, ctx.actor, input)),
  register: publicProcedure
    .use(limitedByAddress('registerByAddress'))
    .input(registration)
    .mutation(({ ctx, input }) => register(ctx.deps, ctx.actor, input)),
  verify: sessionProcedure.query(({ ctx }) => ({ valid: true, user: getProfile(ctx.deps, ctx.actor) })),
  logout: publicProcedure.mutation(async ({ ctx }) => {
    await logOut(ctx.deps, ctx.sessionId)
    return { message: 'Logged out successfully' }
  }),
  profile: sessionProcedure.query(({ ctx }) => ({ user: getProfile(ctx.deps, ctx.actor) })),
  updateProfile: sessionProcedure
    .input(profileChange)
    .mutation(async ({ ctx, input }) => ({ user: await updateProfile(ctx.deps, ctx.actor, input) })),
  changePassword: sessionProcedure
    .meta({ access: 'session', ownLimit: true })
    .input(passwordChange)
    .mutation(async ({ ctx, input }) => {
      await changePassword(ctx.deps, ctx.actor, ctx.sessionId, input)
      return passwordChanged
    }),
  adminChangePassword: adminProcedure.input(adminChangePasswordForm).mutation(async ({ ctx, input }) => {
    await changePassword(ctx.deps, ctx.actor, ctx.sessionId, input)
    return passwordChanged
  }),
  forgotPassword: publicProcedure
    .use(limitedByAddress('forgotByAddress'))
    .input(forgotForm)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(ctx.deps, ctx.actor, input)
      return { message: forgotAnswer }
    }),
  resetPassword: publicProcedure
    .use(limitedByAddress('resetByAddress'))
    .input(passwordReset)
    .mutation(async ({ ctx, input }) => ({
      message: 'Password reset successfully!',
      before: await resetPassword(ctx.deps, ctx.actor, input),
    })),
  getUser: adminProcedure
    .input(z.object({ userId: z.string() }))
    .query(({ ctx, input }) => ({ user: getUser(ctx.deps, ctx.actor, input.userId) })),
})
