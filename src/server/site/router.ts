import { z } from 'zod'
import { contentInput, pageContentView } from '../../domain/content/content-views.ts'
import { checked, publicProcedure, router, sessionProcedure, whenOpenOrSignedIn } from '../kernel/trpc.ts'
import { getHealth, getSite, pageContent, siteView, waysToPay } from './queries.ts'

export const siteRouter = router({
  get: publicProcedure
    .output(checked(z.strictObject({ site: siteView })))
    .query(({ ctx }) => ({ site: getSite(ctx.deps) })),
  content: publicProcedure
    .use(whenOpenOrSignedIn)
    .meta({
      summary: 'The published content of a public page: home, contact, privacy or terms',
      rest: ['GET /api/site/content'],
      cache: 'public',
    })
    .input(contentInput)
    .output(checked(pageContentView))
    .query(({ ctx, input }) => pageContent(ctx.deps, input.page)),
  waysToPay: sessionProcedure
    .meta({ summary: 'Ways to pay without a card', rest: ['GET /api/site/ways-to-pay'] })
    .output(
      checked(
        z.strictObject({
          waysToPay: z.array(z.strictObject({ name: z.string(), instructions: z.string() })),
        }),
      ),
    )
    .query(({ ctx }) => ({ waysToPay: waysToPay(ctx.deps) })),
  health: publicProcedure
    .meta({ summary: 'Whether the site works', rest: ['GET /api/health'] })
    .output(checked(z.strictObject({ status: z.literal('ok'), version: z.string() })))
    .query(({ ctx }) => getHealth(ctx.deps)),
})
