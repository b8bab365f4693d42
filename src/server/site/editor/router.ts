import { z } from 'zod'
import { lineField } from '../../../domain/content/content-text.ts'
import { maxVersionNote, versionPage } from '../../../domain/content/wording.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { createPreviewLink } from './preview-link.ts'
import { publishDraft, publishVersion } from './publish.ts'
import { compareVersions, listVersions, readDraft, readVersion } from './queries.ts'
import { restoreVersion } from './restore.ts'
import { discardDraft, discardSection, saveSection } from './save-section.ts'
import {
  changeView,
  draftResponse,
  previewResponse,
  publishedResponse,
  restoredResponse,
  sectionResponse,
  versionResponse,
  versionView,
} from './views.ts'

const counter = z.int().min(0)
/** A counter in a URL. */
const writtenCounter = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
/** Any text: an unknown section returns not_found, not a validation error (LTEXT-11). */
const section = { section: z.string() }
const note = { note: lineField(maxVersionNote).default('') }
const version = { version: counter }
/** A version by its number; anything else returns not_found (LTEXT-11). */
const numbered = { version: z.union([counter, writtenCounter]).catch(-1) }
/** The number of a version, the published version, or the draft. */
const side = z.union([counter, writtenCounter, z.enum(['published', 'draft'])])

export const editorRouter = router({
  draft: adminProcedure
    .meta({
      summary: 'The draft of the site’s content, and the errors that block publishing',
      rest: ['GET /api/site/admin/draft'],
    })
    .output(checked(draftResponse))
    .query(({ ctx }) => ({ draft: readDraft(ctx.deps) })),
  saveSection: adminProcedure
    .meta({
      summary: 'Save a whole section in the draft; refused if it has changed since',
      rest: ['PUT /api/site/admin/draft/{section}'],
      stepUp: 'never',
    })
    .input(z.object({ ...section, ...version, body: z.unknown() }))
    .output(checked(sectionResponse))
    .mutation(({ ctx, input }) => saveSection(ctx.deps, ctx.actor, input)),
  discardSection: adminProcedure
    .meta({
      summary: 'Discard the draft of one section',
      rest: ['DELETE /api/site/admin/draft/{section}'],
      stepUp: 'never',
    })
    .input(z.object({ ...section, ...version }))
    .output(checked(sectionResponse))
    .mutation(({ ctx, input }) => discardSection(ctx.deps, ctx.actor, input)),
  discardDraft: adminProcedure
    .meta({ summary: 'Discard the whole draft', rest: ['DELETE /api/site/admin/draft'], stepUp: 'never' })
    .input(z.object({ revision: counter }))
    .output(checked(draftResponse))
    .mutation(async ({ ctx, input }) => ({ draft: await discardDraft(ctx.deps, ctx.actor, input.revision) })),
  compare: adminProcedure
    .meta({
      summary: 'The fields that differ between two versions of the content',
      rest: ['GET /api/site/admin/compare'],
    })
    .input(z.object({ from: side, to: side }))
    .output(checked(z.strictObject({ changes: z.array(changeView) })))
    .query(({ ctx, input }) => ({ changes: compareVersions(ctx.deps, input) })),
  previewLink: adminProcedure
    .meta({
      summary: 'An address of the public pages that shows the draft for 30 minutes',
      rest: ['POST /api/site/admin/preview-link'],
      status: 201,
      stepUp: 'sometimes',
    })
    .output(checked(previewResponse))
    .mutation(({ ctx }) => createPreviewLink(ctx.deps, ctx.actor)),
  publish: adminProcedure
    .meta({
      summary: 'Publish the draft; refused if it has changed since it was loaded',
      rest: ['POST /api/site/admin/publish'],
      stepUp: 'always',
    })
    .input(z.object({ revision: counter, ...note }))
    .output(checked(publishedResponse))
    .mutation(async ({ ctx, input }) => ({ published: await publishDraft(ctx.deps, ctx.actor, input) })),
  versions: adminProcedure
    .meta({
      summary: 'Published versions, newest first, 50 per page; version 0 is the shipped content',
      rest: ['GET /api/site/admin/versions'],
    })
    .input(z.object({ page: versionPage }).prefault({}))
    .output(checked(z.strictObject({ versions: z.array(versionView), total: z.int() })))
    .query(({ ctx, input }) => listVersions(ctx.deps, input.page)),
  version: adminProcedure
    .meta({ summary: 'The content of a version', rest: ['GET /api/site/admin/versions/{version}'] })
    .input(z.object(numbered))
    .output(checked(versionResponse))
    .query(({ ctx, input }) => readVersion(ctx.deps, input.version)),
  restoreVersion: adminProcedure
    .meta({
      summary: 'Put a version into the draft',
      rest: ['POST /api/site/admin/versions/{version}/restore'],
      stepUp: 'never',
    })
    .input(z.object({ ...numbered, replace: z.boolean().default(false) }))
    .output(checked(restoredResponse))
    .mutation(({ ctx, input }) => restoreVersion(ctx.deps, ctx.actor, input)),
  publishVersion: adminProcedure
    .meta({
      summary: 'Publish a version again at once; the draft stays',
      rest: ['POST /api/site/admin/versions/{version}/publish'],
      stepUp: 'always',
    })
    .input(z.object({ ...numbered, published: counter, ...note }))
    .output(checked(publishedResponse))
    .mutation(async ({ ctx, input }) => ({ published: await publishVersion(ctx.deps, ctx.actor, input) })),
})
