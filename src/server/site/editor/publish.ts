import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError, type FieldErrors } from '../../../domain/common/errors.ts'
import { isSameBody } from '../../../domain/common/same-body.ts'
import {
  type ContentDocument,
  type Identity,
  resolveContent,
  type SectionName,
  type SiteContent,
} from '../../../domain/content/content.ts'
import * as rules from '../../../domain/content/content-draft.ts'
import { withoutMissingPictures } from '../../../domain/content/picture.ts'
import { mailSensitiveWords, type WordsChange } from '../../auth/factors/sensitive-words.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { parseTexts, storeTexts } from '../content/parsed-texts.ts'
import { environmentIdentity } from '../content/published.ts'
import { pictureExists, requestCopies, unpreparedPictures } from '../pictures/copies.ts'
import { viewVersion } from './queries.ts'
import { type DraftState, insertVersion, loadDocument, readState, writeDraft } from './records.ts'
import { publishErrorsOf, type VersionView } from './views.ts'

/**
 * Publishes the draft (SITE-20, SITE-21).
 * @throws AppError conflict for a stale revision, without a change, and while a picture is being prepared; bad_request
 * with all errors, by section and path; forbidden without a step-up
 */
export async function publishDraft(deps: Deps, actor: Admin, input: DraftToPublish): Promise<VersionView> {
  const published = await deps.write(tx => publishDraftIn(deps, tx, actor, input))
  failpoint('after-publish-write')
  return published
}

type DraftToPublish = { revision: number; note: string }

/** Publishes the draft inside a write. @throws AppError like `publishDraft` */
export function publishDraftIn(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  { note, revision }: DraftToPublish,
): VersionView {
  const state = readState(deps, tx)
  const { draft: before, published: current } = state
  const { changed, draft } = rules.publishDraft(before, current.content, revision, isRepair(state))
  assertPublishable(publishErrorsOf(deps, tx, state))
  assertPublishable(unpreparedPictures(tx, state.content))
  const identity = changed.includes('identity') ? state.document.identity : current.document.identity
  const document = { ...state.document, identity }
  return publish(deps, tx, actor, state, { document, draft, changed, note, source: 'publish' })
}

/**
 * Publishes a version again as a new one; the draft stays (SITE-26).
 * @throws AppError not_found; conflict when `published` is not the published version, when the content is the same or
 * show removed pictures, and while a picture is being prepared; bad_request with all errors; forbidden
 * without a step-up
 */
export async function publishVersion(
  deps: Deps,
  actor: Admin,
  { note, published: named, version }: { version: number; published: number; note: string },
): Promise<VersionView> {
  // In a separate write, which an error below does not roll back: copies that were deleted have to be prepared again.
  await deps.write(tx => {
    const document = loadDocument(deps, tx, version)
    requireStepUp(deps, tx, actor)
    requestCopies(tx, document)
  })
  const { parsed } = await parseTexts(deps, loadDocument(deps, deps.db, version))
  const published = await deps.write(tx => {
    storeTexts(deps, tx, parsed)
    const state = readState(deps, tx)
    const document = loadDocument(deps, tx, version)
    const content = resolveContent(document, environmentIdentity(deps.config))
    const { draft: before, published: current } = state
    const numbers = { named, actual: current.version }
    const { changed, draft } = rules.publishVersion(
      before,
      current.content,
      content,
      numbers,
      isRepair(state),
    )
    if (withoutMissingPictures(document, id => pictureExists(tx, id)).missing.length > 0)
      throw new AppError('conflict', 'This version shows pictures that were removed.')
    assertPublishable(publishErrorsOf(deps, tx, { content, published: current }))
    assertPublishable(unpreparedPictures(tx, content))
    return publish(deps, tx, actor, state, { document, draft, changed, note, source: 'undo' })
  })
  failpoint('after-publish-write')
  return published
}

/**
 * Publishes the names and the contact of a site that is being installed, which visitors do not see before it is opened.
 * @throws AppError forbidden without a step-up
 */
export function publishIdentity(deps: Deps, tx: Tx, actor: Admin, identity: Identity): void {
  const state = readState(deps, tx)
  const { content, document } = state.published
  if (isSameBody(content.identity, identity)) return
  publish(deps, tx, actor, state, {
    document: { ...document, identity },
    draft: state.draft,
    changed: ['identity'],
    note: 'Installation',
    source: 'publish',
  })
}

/** Whether the newest version is unreadable: then publishing the version that is shown is a change (SITE-31). */
const isRepair = ({ published }: DraftState): boolean => published.unreadable.length > 0

function assertPublishable(fields: FieldErrors): void {
  const [first] = Object.values(fields)
  if (first !== undefined) throw new AppError('bad_request', first, { fields })
}

/** Writes version, draft, event and mails. */
function publish(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  before: DraftState,
  publication: {
    document: ContentDocument
    draft: DraftState['draft']
    changed: SectionName[]
    note: string
    source: 'publish' | 'undo'
  },
): VersionView {
  requireStepUp(deps, tx, actor)
  const { changed, document, draft, note, source } = publication
  const at = nowIso(deps)
  const former = before.published.content
  const now = resolveContent(document, environmentIdentity(deps.config))
  const changes = sensitiveChanges({ before: former, after: now })
  const version = insertVersion(tx, { at, actorId: actor.userId, note, source, changed }, document)
  failpoint('in-publish-write')
  writeDraft(deps, tx, actor, before, draft)
  recordEvent(tx, at, actor, 'site.published', String(version), { source, note, changed: changed.join(', ') })
  mailSensitiveWords(tx, at, actor, {
    changes,
    owners: [former.identity.ownerEmail, now.identity.ownerEmail],
    where: 'versions',
    dedupeKey: `words-changed:${version}`,
  })
  return viewVersion(tx, version)
}

type Compared = { before: SiteContent; after: SiteContent }

/**
 * What changed in the words by which tenants reach and pay the owner, and in those that they agree to. The owner
 * gets a mail about them (SITE-23). Placeholders in the ways to pay and the
 * lease show the names and the address, too.
 */
export function sensitiveChanges({ after, before }: Compared): WordsChange[] {
  const [old, now] = [textsOf(before), textsOf(after)]
  return Object.entries(now)
    .map(([label, text]) => ({ label, before: old[label] ?? '', after: text }))
    .filter(change => change.before !== change.after)
}

const textsOf = ({
  contact,
  houseRules,
  identity,
  privacy,
  terms,
  waysToPay,
}: SiteContent): Record<string, string> => ({
  Company: identity.companyName,
  Property: identity.propertyName,
  Address: identity.propertyAddress,
  Email: identity.ownerEmail,
  Phone: identity.ownerPhone,
  'Ways to pay':
    waysToPay.ways.map(({ instructions, name }) => `${name}: ${instructions}`).join('\n') || 'None',
  'Contact page': [contact.text, contact.directTitle, contact.directText].join('\n'),
  'House rules': houseRules.rules.join('\n'),
  Privacy: legalText(privacy),
  Terms: legalText(terms),
})

const legalText = ({ effective, intro, text }: SiteContent['terms']) => [effective, intro, text].join('\n')
