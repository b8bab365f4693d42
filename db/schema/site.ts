import { sql } from 'drizzle-orm'
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type SectionName, sectionNames } from '../../src/domain/content/content.ts'
import type { Block } from '../../src/domain/content/content-blocks.ts'
import type { PictureCut } from '../../src/domain/content/picture.ts'
import { wordingKinds } from '../../src/domain/content/wording.ts'
import { users } from './accounts.ts'
import { files } from './kernel.ts'

/** The owner's settings of the property, one row per section; a section without a row has its defaults. */
export const propertySettings = sqliteTable('property_settings', {
  section: text().primaryKey(),
  body: text({ mode: 'json' }).$type<unknown>().notNull(),
  /** Optimistic lock: a save must send the version it is based on. */
  version: integer().notNull(),
  updatedAt: text('updated_at').notNull(),
  updatedBy: text('updated_by')
    .notNull()
    .references(() => users.id),
})

/** Secrets that the owner saved in the browser, each encrypted with the installation's key and bound to its name. */
export const sealedSettings = sqliteTable('sealed_settings', {
  name: text().primaryKey(),
  sealed: text().notNull(),
  /** Its last four characters; none of a short secret. */
  hint: text().notNull(),
  version: integer().notNull(),
  updatedAt: text('updated_at').notNull(),
  updatedBy: text('updated_by')
    .notNull()
    .references(() => users.id),
})

/** Published versions: all sections of the site's content. Immutable and never deleted. */
export const contentVersions = sqliteTable('content_versions', {
  /** The version's number, from 1. */
  id: integer().primaryKey(),
  at: text().notNull(),
  actorId: text('actor_id')
    .notNull()
    .references(() => users.id),
  note: text().notNull(),
  source: text({ enum: ['publish', 'undo'] }).notNull(),
  /** The sections that differ from the version before it. */
  changed: text({ mode: 'json' }).$type<SectionName[]>().notNull().default([]),
  /** Schema version of the body. */
  schema: integer().notNull(),
  /** JSON exactly as it was hashed. */
  body: text().notNull(),
  sha256: text().notNull(),
})

/** The single draft of the site's content; a section without a body equals the published one. */
export const contentSections = sqliteTable('content_sections', {
  section: text({ enum: sectionNames as [SectionName, ...SectionName[]] }).primaryKey(),
  schema: integer().notNull(),
  body: text({ mode: 'json' }).$type<unknown>(),
  version: integer().notNull(),
  updatedAt: text('updated_at').notNull(),
  updatedBy: text('updated_by')
    .notNull()
    .references(() => users.id),
})

/** The parsed Markdown of the published content and of the draft, written when a text is saved (FIX-30). */
export const parsedTexts = sqliteTable('parsed_texts', {
  /** Hash of the text and of the parser's version. */
  key: text().primaryKey(),
  blocks: text({ mode: 'json' }).$type<Block[]>().notNull(),
})

/** Wordings of leases and mails, one row per version; the newest is in use. */
export const wordings = sqliteTable(
  'wordings',
  {
    id: text().primaryKey(),
    kind: text({ enum: wordingKinds }).notNull(),
    /** Starts at 1. */
    version: integer().notNull(),
    /** JSON exactly as it was hashed; null for the shipped wording. */
    body: text(),
    sha256: text().notNull(),
    note: text().notNull(),
    at: text().notNull(),
    actorId: text('actor_id')
      .notNull()
      .references(() => users.id),
  },
  t => [uniqueIndex('wordings_version').on(t.kind, t.version)],
)

/** Pictures that the owner uploaded. */
export const pictures = sqliteTable(
  'pictures',
  {
    id: text().primaryKey(),
    /** The original; null once the picture is removed. */
    fileId: text('file_id').references(() => files.id),
    /** Name of the uploaded file. */
    name: text().notNull(),
    /** In pixels, after rotating the picture upright. */
    width: integer().notNull(),
    height: integer().notNull(),
    /** Hash of the original. */
    sha256: text().notNull(),
    state: text({ enum: ['processing', 'ready', 'failed'] }).notNull(),
    fault: text(),
    createdAt: text('created_at').notNull(),
    createdBy: text('created_by')
      .notNull()
      .references(() => users.id),
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('pictures_sha256').on(t.sha256).where(sql`${t.removedAt} is null`)],
)

/** Resized copies of a picture, one row per recipe. */
export const pictureCopies = sqliteTable(
  'picture_copies',
  {
    pictureId: text('picture_id')
      .notNull()
      .references(() => pictures.id),
    /** Name of the recipe, such as `page` or `hero@0.30,0.00`. */
    recipe: text().notNull(),
    /** The hash in the file names of the first cut's copies. */
    hash: text().notNull(),
    /** Null until first made; shown only while `state` is `ready`. */
    cuts: text({ mode: 'json' }).$type<PictureCut[]>(),
    state: text({ enum: ['processing', 'ready', 'failed'] }).notNull(),
    /** Incremented before each attempt. */
    attempts: integer().notNull().default(0),
    fault: text(),
    madeAt: text('made_at'),
    /** Since when neither the draft nor the published content uses the copies; null while in use. */
    unusedSince: text('unused_since'),
  },
  t => [primaryKey({ columns: [t.pictureId, t.recipe] }), uniqueIndex('picture_copies_hash').on(t.hash)],
)
