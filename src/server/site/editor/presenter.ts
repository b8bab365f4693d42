import { z } from 'zod'
import { wireMoment } from '../../../domain/common/wire.ts'
import { type SectionName, sectionNames } from '../../../domain/content/content.ts'

export const sectionName = z.enum(sectionNames as [SectionName, ...SectionName[]])
/** The user who made a change. */
export const personView = z.strictObject({ id: z.string(), name: z.string() })
export type PersonView = z.infer<typeof personView>
/** The content of a section; its schema is in `src/domain/content/content.ts`. */
const sectionBody = z.record(z.string(), z.unknown())
/** Messages by path: `hero.headline` in a draft, `headline` in a rejected save. */
const faults = z.record(z.string(), z.string())

export const sectionView = z
  .strictObject({
    name: sectionName,
    /** To pass to the next save; 0 if the section was never changed. */
    version: z.int(),
    /** Whether it differs from the published section. */
    changed: z.boolean(),
    body: sectionBody,
    updatedAt: wireMoment.nullable(),
    updatedBy: personView.nullable(),
  })
  .meta({ id: 'ContentSection' })
export type SectionView = z.infer<typeof sectionView>

const publishedState = { version: z.int(), at: wireMoment.nullable(), by: personView.nullable() }

export const draftView = z
  .strictObject({
    /** The sum of the sections' versions, to pass when publishing. */
    revision: z.int(),
    published: z.strictObject(publishedState),
    sections: z.record(sectionName, sectionView),
    faults,
  })
  .meta({ id: 'ContentDraft' })
export type DraftView = z.infer<typeof draftView>

/** A published version. */
export const versionView = z
  .strictObject({
    ...publishedState,
    note: z.string(),
    source: z.enum(['publish', 'undo']),
    /** The sections that differ from the version before it. */
    changed: z.array(sectionName),
  })
  .meta({ id: 'ContentVersion' })
export type VersionView = z.infer<typeof versionView>

export const changeView = z.strictObject({
  section: sectionName,
  /** Within the section: `headline`, `pictures.ID.caption`, `pictures.order`. */
  path: z.string(),
  /** Null if that side has no value. */
  before: z.unknown(),
  after: z.unknown(),
})

export const draftResponse = z.strictObject({ draft: draftView })
export const sectionResponse = z.strictObject({ section: sectionView, revision: z.int(), faults })
export type SectionResponse = z.infer<typeof sectionResponse>
export const publishedResponse = z.strictObject({ published: versionView })
export const versionResponse = z.strictObject({
  version: versionView,
  sections: z.record(sectionName, sectionBody),
})
export type VersionResponse = z.infer<typeof versionResponse>
export const restoredResponse = z.strictObject({
  draft: draftView,
  /** Names of removed pictures that were left out. */
  missingPictures: z.array(z.string()),
})
export type RestoredResponse = z.infer<typeof restoredResponse>
export const previewResponse = z.strictObject({ url: z.string(), expiresAt: wireMoment })
