import { z } from 'zod'
import { messageResponse } from '../../../domain/common/wire.ts'
import { lineField } from '../../../domain/content/content-text.ts'
import { maxVersionNote, versionPage } from '../../../domain/content/wording.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { previewWording, sendSample } from './preview.ts'
import { listWordings, listWordingVersions, readWording, readWordingVersion } from './queries.ts'
import { saveWording } from './save-wording.ts'
import { wordingBody, wordingPreview, wordingSummary, wordingVersionView, wordingView } from './views.ts'

/** Any text: an unknown kind returns not_found, not a validation error (LTEXT-11). */
const kind = { kind: z.string() }
const wordingResponse = z.strictObject({ wording: wordingView })

export const wordingsRouter = router({
  list: adminProcedure
    .meta({ summary: 'The wordings of leases and mails', rest: ['GET /api/site/admin/wordings'] })
    .output(checked(z.strictObject({ wordings: z.array(wordingSummary) })))
    .query(({ ctx }) => ({ wordings: listWordings(ctx.deps) })),
  get: adminProcedure
    .meta({ summary: 'A wording with its placeholders', rest: ['GET /api/site/admin/wordings/{kind}'] })
    .input(z.object(kind))
    .output(checked(wordingResponse))
    .query(({ ctx, input }) => ({ wording: readWording(ctx.deps, input.kind) })),
  save: adminProcedure
    .meta({
      summary:
        'Save a wording; refused if it has changed since; without a body, restores the shipped wording',
      rest: ['PUT /api/site/admin/wordings/{kind}'],
      stepUp: 'always',
    })
    .input(
      z.object({
        ...kind,
        version: z.int().min(0),
        body: z.unknown(),
        note: lineField(maxVersionNote).default(''),
      }),
    )
    .output(checked(wordingResponse))
    .mutation(async ({ ctx, input }) => ({ wording: await saveWording(ctx.deps, ctx.actor, input) })),
  versions: adminProcedure
    .meta({
      summary: 'The versions of a wording, newest first, 50 per page',
      rest: ['GET /api/site/admin/wordings/{kind}/versions'],
    })
    .input(z.object({ ...kind, page: versionPage }))
    .output(checked(z.strictObject({ versions: z.array(wordingVersionView), total: z.int() })))
    .query(({ ctx, input }) => listWordingVersions(ctx.deps, input)),
  version: adminProcedure
    .meta({
      summary: 'A version of a wording',
      rest: ['GET /api/site/admin/wordings/{kind}/versions/{version}'],
    })
    .input(z.object({ ...kind, version: z.coerce.number().int().catch(-1) }))
    .output(checked(z.strictObject({ version: wordingVersionView, body: wordingBody })))
    .query(({ ctx, input }) => readWordingVersion(ctx.deps, input)),
  preview: adminProcedure
    .meta({
      summary: 'A wording filled with sample data; nothing is stored',
      rest: ['POST /api/site/admin/wordings/{kind}/preview'],
      stepUp: 'never',
    })
    .input(z.object({ ...kind, body: z.unknown() }))
    .output(checked(wordingPreview))
    .mutation(({ ctx, input }) => previewWording(ctx.deps, input)),
  sendSample: adminProcedure
    .meta({
      summary: 'Mail the sample to the caller’s own address',
      rest: ['POST /api/site/admin/wordings/{kind}/test'],
      stepUp: 'never',
    })
    .input(z.object({ ...kind, body: z.unknown() }))
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => sendSample(ctx.deps, ctx.actor, input)),
})
