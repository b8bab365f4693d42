import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError, type FieldErrors } from '../../../domain/common/errors.ts'
import { isSectionName, type SectionName, type SiteContent } from '../../../domain/content/content.ts'
import * as rules from '../../../domain/content/content-draft.ts'
import { parseSection, unverifiableReviews } from '../../../domain/content/content-errors.ts'
import { contentMessages } from '../../../domain/content/content-text.ts'
import { isPastStay } from '../../bookings/records.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { type ParsedText, parseTexts, storeTexts } from '../content/parsed-texts.ts'
import { pictureExists, requestCopies } from '../pictures/copies.ts'
import { type DraftState, readState, writeDraft } from './records.ts'
import { type DraftView, type SectionResponse, viewDraft, viewSaved, viewSection } from './views.ts'

/**
 * Saves a whole section in the draft (SITE-03, SITE-04, SITE-17, SITE-18).
 * @throws AppError not_found for an unknown section, bad_request by path within the section, conflict with the stored
 * section for a stale version
 */
export async function saveSection(
  deps: Deps,
  actor: Admin,
  { body: given, section, version }: { section: string; version: number; body: unknown },
): Promise<SectionResponse> {
  const name = requireSection(section)
  const { body, parsed } = await checkSection(deps, name, given)
  return deps.write(tx => {
    checkReferences(deps, tx, body)
    const state = readState(deps, tx)
    const after = withCurrent(tx, state, name, () =>
      rules.saveSection(state.draft, state.published.content, { name, version, body }),
    )
    const saved = writeDraft(deps, tx, actor, state, after)
    storeTexts(deps, tx, parsed)
    requestCopies(tx, saved.content)
    return viewSaved(deps, tx, saved, name)
  })
}

/** Runs a change of a section, and adds the stored section to its conflict error. */
function withCurrent<Result>(tx: Tx, state: DraftState, name: SectionName, change: () => Result): Result {
  try {
    return change()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new AppError('conflict', error.message, { current: viewSection(tx, state, name) })
  }
}

/**
 * Resets the section to the published content (SITE-18).
 * @throws AppError not_found for an unknown section, conflict with the stored section for a stale version
 */
export async function discardSection(
  deps: Deps,
  actor: Admin,
  { section, version }: { section: string; version: number },
): Promise<SectionResponse> {
  const name = requireSection(section)
  return deps.write(tx => {
    const state = readState(deps, tx)
    const after = withCurrent(tx, state, name, () => rules.discardSection(state.draft, name, version))
    return viewSaved(deps, tx, writeDraft(deps, tx, actor, state, after), name)
  })
}

/** Resets all sections to the published content. @throws AppError conflict for a stale revision */
export async function discardDraft(deps: Deps, actor: Admin, revision: number): Promise<DraftView> {
  return deps.write(tx => {
    const state = readState(deps, tx)
    return viewDraft(deps, tx, writeDraft(deps, tx, actor, state, rules.discardDraft(state.draft, revision)))
  })
}

/** @throws AppError not_found */
function requireSection(name: string): SectionName {
  if (!isSectionName(name)) throw new AppError('not_found', 'The site has no such part.')
  return name
}

/**
 * Validates a whole section and returns it as it is saved (SITE-03, SITE-04, SITE-06, SITE-07, SITE-10), with its parsed
 * text if it has a new one (SITE-09, FIX-30).
 * @throws AppError bad_request with all errors, by path within the section
 */
async function checkSection(
  deps: Deps,
  name: SectionName,
  given: unknown,
): Promise<{ body: SiteContent[SectionName]; parsed: ParsedText[] }> {
  const { body, fields } = parseSection(name, given, todayAt(deps))
  if (fields !== undefined) throw invalid(fields)
  const { faults, parsed } = await parseTexts(deps, { [name]: body })
  if (faults[name] !== undefined) throw invalid({ text: faults[name] })
  return { body, parsed }
}

/**
 * Checks the pictures and stays of a section, in the write that saves it (SITE-11, PIC-14).
 * @throws AppError bad_request with all errors, by path within the section
 */
function checkReferences(deps: Deps, tx: Tx, body: SiteContent[SectionName]): void {
  const faults = {
    ...unknownPictures(body, id => pictureExists(tx, id)),
    ...('reviews' in body ? unverifiableReviews(body, id => isPastStay(tx, id, todayAt(deps))) : {}),
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

const invalid = (fields: FieldErrors) =>
  new AppError('bad_request', Object.values(fields)[0] ?? contentMessages.invalid, { fields })

function unknownPictures(body: SiteContent[SectionName], exists: (id: string) => boolean): FieldErrors {
  const named: [path: string, picture: string | null][] =
    'pictures' in body
      ? body.pictures.map(({ picture }, index) => [`pictures.${index}.picture`, picture])
      : 'picture' in body
        ? [['picture', body.picture]]
        : []
  return Object.fromEntries(
    named.flatMap(([path, picture]) =>
      picture === null || exists(picture) ? [] : [[path, contentMessages.noSuchPicture]],
    ),
  )
}
