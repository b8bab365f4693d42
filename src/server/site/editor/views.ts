import { z } from 'zod'
import type { Db, Tx } from '../../../../db/open.ts'
import { AppError, type FieldErrors } from '../../../domain/common/errors.ts'
import { wireMoment } from '../../../domain/common/wire.ts'
import {
  type ContentDocument,
  type SectionName,
  type SiteContent,
  sectionNames,
} from '../../../domain/content/content.ts'
import { changedSections, revisionOf } from '../../../domain/content/content-draft.ts'
import { publishErrors } from '../../../domain/content/content-errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { hasPublishedReview } from '../../reviews/reviews.ts'
import { unparsedTexts } from '../content/parsed-texts.ts'
import { contentHistory } from '../content/published.ts'
import { personView, readPeople } from '../content/versioned.ts'
import { unpreparedPictures } from '../pictures/copies.ts'
import type { DraftState } from './records.ts'

const sectionName = z.enum(sectionNames as [SectionName, ...SectionName[]])
/** The content of a section; its schema is in `src/domain/content/content.ts`. */
const sectionBody = z.record(z.string(), z.unknown())
/** Messages by path: `hero.headline` in a draft, `headline` in a rejected save. */
const faults = z.record(z.string(), z.string())

const sectionView = z
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

const draftView = z
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

type People = ReturnType<typeof readPeople>

/** The content of a section for the editor; an identity also shows whether it comes from the environment. */
export function bodyView(document: ContentDocument, content: SiteContent, name: SectionName) {
  return name === 'identity' && document.identity === null
    ? { ...content.identity, fromEnvironment: true }
    : { ...content[name] }
}

/** A section of the draft as it is stored. */
export function viewSection(db: Db, state: DraftState, name: SectionName): SectionView {
  return toSectionView(state, readPeople(db, saversOf(state)), name)
}

function toSectionView(state: DraftState, people: People, name: SectionName): SectionView {
  const row = state.rows.get(name)
  return {
    name,
    version: state.draft[name].version,
    changed: changedSections(state.draft, state.published.content).includes(name),
    body: bodyView(state.document, state.content, name),
    updatedAt: row?.updatedAt ?? null,
    updatedBy: (row && people.get(row.updatedBy)) ?? null,
  }
}

const saversOf = ({ rows }: DraftState) => [...rows.values()].map(({ updatedBy }) => updatedBy)

/** A section that was just written, with the new state of the draft. */
export function viewSaved(deps: Deps, tx: Tx, state: DraftState, name: SectionName): SectionResponse {
  const section = viewSection(tx, state, name)
  return { section, revision: revisionOf(state.draft), faults: publishErrorsOf(deps, tx, state) }
}

/** The whole draft. */
export function viewDraft(deps: Deps, db: Db, state: DraftState): DraftView {
  const { version } = state.published
  const row = contentHistory.find(db, version)
  const people = readPeople(db, [...saversOf(state), ...(row ? [row.actorId] : [])])
  const sections = sectionNames.map(name => [name, toSectionView(state, people, name)])
  return {
    revision: revisionOf(state.draft),
    published: { version, at: row?.at ?? null, by: (row && people.get(row.actorId)) ?? null },
    sections: Object.fromEntries(sections),
    faults: publishErrorsOf(deps, db, state),
  }
}

const unreadableMessage =
  'The content that was saved here could not be read. Save this part again, or undo its changes.'

/** All errors that prevent publishing, by section and path (SITE-05, SITE-12, SITE-32, PIC-15, FIX-30). */
export function publishErrorsOf(
  { config }: Deps,
  db: Db,
  {
    content,
    published,
    unreadable = [],
  }: Pick<DraftState, 'content' | 'published'> & Partial<Pick<DraftState, 'unreadable'>>,
): FieldErrors {
  return {
    ...publishErrors(content, {
      isProduction: config.mode === 'production',
      hasGuestReview: hasPublishedReview(db),
    }),
    ...failedPictures(db, content),
    ...unparsedTexts(db, content, published.content),
    ...Object.fromEntries(unreadable.map(name => [name, unreadableMessage])),
  }
}

/** A picture that is still being prepared is no error: the owner only has to wait. */
function failedPictures(db: Db, content: DraftState['content']): FieldErrors {
  try {
    return unpreparedPictures(db, content)
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return {}
    throw error
  }
}
