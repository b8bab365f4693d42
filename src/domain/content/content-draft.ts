import { AppError } from '../common/errors.ts'
import { isSameBody } from '../common/same-body.ts'

/** A section of the draft. Version 0 was never touched; a null body equals the published one. */
export type DraftSection<Body> = { version: number; body: Body | null }
/** Every section of the draft by its name. */
export type Draft<Content extends object> = { [Name in keyof Content]: DraftSection<Content[Name]> }

export const draftMessages = {
  staleSection: 'This part was changed by somebody else meanwhile.',
  staleDraft: 'The draft has changed since you looked. Check it and publish again.',
  nothingToPublish: 'There is nothing to publish.',
  unpublished: 'The draft has changes that are not published.',
  stalePublished: 'Somebody else has published meanwhile.',
} as const

const namesOf = <Content extends object>(of: Content) => Object.keys(of) as (keyof Content)[]

/** The sum of the versions, which rises with every change of the draft (SITE-20). */
export function revisionOf<Name extends PropertyKey>(draft: Record<Name, { version: number }>): number {
  return Object.values<{ version: number }>(draft).reduce((sum, { version }) => sum + version, 0)
}

/** The content as the draft has it. */
export function draftContent<Content extends object>(draft: Draft<Content>, published: Content): Content {
  const shown = namesOf(published).map(name => [name, draft[name].body ?? published[name]])
  return Object.fromEntries(shown) as Content
}

/** The sections in which the draft differs from the published content. */
export function changedSections<Content extends object>(
  draft: Draft<Content>,
  published: Content,
): (keyof Content)[] {
  return namesOf(published).filter(
    name => draft[name].body !== null && !isSameBody(draft[name].body, published[name]),
  )
}

/**
 * Saves a section into the draft. Saving the published content marks the section unchanged (SITE-17, SITE-18).
 * @throws AppError conflict if somebody else has changed the section since `version`
 */
export function saveSection<Content extends object, Name extends keyof Content>(
  draft: Draft<Content>,
  published: Content,
  save: { name: Name; version: number; body: Content[Name] },
): Draft<Content> {
  const { body, name, version } = save
  requireVersion(draft[name], version)
  return touch(draft, [name], () => (isSameBody(body, published[name]) ? null : body))
}

/**
 * Resets a section to the published content; a section without changes stays untouched.
 * @throws AppError conflict for a stale version
 */
export function discardSection<Content extends object>(
  draft: Draft<Content>,
  name: keyof Content,
  version: number,
): Draft<Content> {
  requireVersion(draft[name], version)
  return draft[name].body === null ? draft : touch(draft, [name], () => null)
}

/** Resets all sections to the published content. @throws AppError conflict for a stale revision */
export function discardDraft<Content extends object>(
  draft: Draft<Content>,
  revision: number,
): Draft<Content> {
  requireRevision(draft, revision)
  return emptied(draft)
}

/**
 * The content that publishing the draft produces, the sections it changes, and the draft afterwards (SITE-18, SITE-20).
 * @param isRepair also publishes without a change, because the newest version cannot be read (SITE-31)
 * @throws AppError conflict for a stale revision, or without a change
 */
export function publishDraft<Content extends object>(
  draft: Draft<Content>,
  published: Content,
  revision: number,
  isRepair = false,
): { content: Content; changed: (keyof Content)[]; draft: Draft<Content> } {
  requireRevision(draft, revision)
  const changed = changedSections(draft, published)
  if (changed.length === 0 && !isRepair) throw new AppError('conflict', draftMessages.nothingToPublish)
  return { content: draftContent(draft, published), changed, draft: emptied(draft) }
}

/**
 * Restores a version into the draft; touches only the sections of the draft that it changes (SITE-25).
 * @throws AppError conflict over unpublished changes without `replace`
 */
export function restoreVersion<Content extends object>(
  draft: Draft<Content>,
  published: Content,
  version: Content,
  replace = false,
): Draft<Content> {
  if (!replace && changedSections(draft, published).length > 0)
    throw new AppError('conflict', draftMessages.unpublished)
  const now = draftContent(draft, published)
  const touched = namesOf(version).filter(name => !isSameBody(now[name], version[name]))
  return touch(draft, touched, name => (isSameBody(version[name], published[name]) ? null : version[name]))
}

/**
 * The draft after another version was published directly: its content stays, but sections that changed get a new
 * version, so that editors have to reload them (SITE-18, SITE-26).
 * @param numbers.actual the number of the published version
 * @param isRepair also publishes the same content, because the newest version cannot be read (SITE-31)
 * @throws AppError conflict if `actual` differs from `named`, or if nothing would change
 */
export function publishVersion<Content extends object>(
  draft: Draft<Content>,
  published: Content,
  version: Content,
  numbers: { named: number; actual: number },
  isRepair = false,
): { changed: (keyof Content)[]; draft: Draft<Content> } {
  if (numbers.named !== numbers.actual) throw new AppError('conflict', draftMessages.stalePublished)
  const changed = namesOf(version).filter(name => !isSameBody(version[name], published[name]))
  if (changed.length === 0 && !isRepair) throw new AppError('conflict', draftMessages.nothingToPublish)
  return { changed, draft: touch(draft, changed, name => draft[name].body) }
}

/** The sections whose rows a change has to write. */
export function touchedSections<Content extends object>(
  before: Draft<Content>,
  after: Draft<Content>,
): (keyof Content)[] {
  return namesOf(after).filter(name => after[name].version !== before[name].version)
}

/** Raises the version and sets the body of each of these sections. */
function touch<Content extends object>(
  draft: Draft<Content>,
  names: readonly (keyof Content)[],
  bodyOf: (name: keyof Content) => Content[keyof Content] | null,
): Draft<Content> {
  const next = { ...draft }
  for (const name of names) next[name] = { version: draft[name].version + 1, body: bodyOf(name) }
  return next
}

const emptied = <Content extends object>(draft: Draft<Content>) =>
  touch(
    draft,
    namesOf(draft).filter(name => draft[name].body !== null),
    () => null,
  )

function requireVersion(section: DraftSection<unknown>, version: number): void {
  if (section.version !== version) throw new AppError('conflict', draftMessages.staleSection)
}

/** For a record that is saved as a whole; without `seen` nothing is compared. @throws AppError conflict (SITE-17) */
export function requireUnchanged({ updatedAt }: { updatedAt: string }, seen: string | undefined): void {
  if (seen !== undefined && seen !== updatedAt) throw new AppError('conflict', draftMessages.staleSection)
}

function requireRevision<Content extends object>(draft: Draft<Content>, revision: number): void {
  if (revisionOf(draft) !== revision) throw new AppError('conflict', draftMessages.staleDraft)
}
