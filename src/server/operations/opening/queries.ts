import type { Db, Tx } from '../../../../db/open.ts'
import { isSameBody } from '../../../domain/common/same-body.ts'
import type { SiteContent } from '../../../domain/content/content.ts'
import { changedSections } from '../../../domain/content/content-draft.ts'
import {
  declinedLines,
  type OpeningLine,
  openingLines,
  requiredLines,
} from '../../../domain/content/opening.ts'
import { pictureUses } from '../../../domain/content/picture.ts'
import { adminWithoutFactor } from '../../auth/factors/notices.ts'
import { hasBookingRules } from '../../bookings/booking-rules.ts'
import { listFeedRows } from '../../bookings/calendars/records.ts'
import { listActiveRates } from '../../bookings/rates.ts'
import type { Deps } from '../../kernel/deps.ts'
import { readFact } from '../../kernel/installation-facts.ts'
import { openedAtKey, readOpening } from '../../kernel/opening.ts'
import { listTrialGuests } from '../../kernel/trial.ts'
import { activeTaxRules } from '../../money/charge-rules.ts'
import { shippedPictures } from '../../site/content/pictures.ts'
import { shippedContent } from '../../site/content/shipped-content.ts'
import { type DraftState, readState } from '../../site/editor/records.ts'
import { publishErrorsOf } from '../../site/editor/views.ts'
import { installPhase } from '../install/phase.ts'
import { findTrialGuest } from './trial.ts'
import type { OpeningView } from './views.ts'

/** What the owner has declined, in the table of facts. */
export const declinedKey = 'opening-declined'

export function listDeclined(db: Db | Tx): OpeningLine[] {
  return declinedLines.parse(JSON.parse(readFact(db, declinedKey) ?? '[]'))
}

/**
 * What is left to do before the site can be opened, worked out from the data (OPEN-03). No lines for the demo, and for
 * a site that was in use before.
 */
export function getOpening(deps: Deps, db: Db | Tx = deps.db): OpeningView {
  const opening = readOpening(deps.config, db)
  if (opening === 'open' && readFact(db, openedAtKey) === undefined)
    return { opening, open: true, installing: false, lines: [], examples: [], missing: [], trial: null }
  const state = readState(deps, db)
  const done = factsOf(deps, db, state)
  const declined = listDeclined(db)
  const trial = findTrialGuest(db)?.email ?? null
  // A trial is made before the site is opened.
  const listed = openingLines.filter(key => key !== 'trial' || opening === 'never' || trial !== null)
  const lines = listed.map(key => {
    const required = isRequired(deps, key)
    const rest =
      declined.includes(key) && !required && !(key === 'trial' && trial)
        ? ('declined' as const)
        : ('open' as const)
    return { key, state: done[key] ? ('done' as const) : rest, required }
  })
  const missing = lines.filter(({ required, state }) => required && state !== 'done').map(({ key }) => key)
  return {
    opening,
    open: opening === 'open',
    installing: installPhase(deps) === 'steps',
    lines,
    examples: declined.includes('content') ? [] : examplesIn(state.content),
    missing,
    trial,
  }
}

/** Who installs in the browser protects the account there, before the site is public (INST-16). */
export const isRequired = ({ config }: Deps, key: OpeningLine): boolean =>
  requiredLines.includes(key) || (key === 'account' && config.install !== undefined)

/** The parts of a draft that are still the shipped example and that guests rely on. */
function examplesIn(content: SiteContent): string[] {
  const isExample = (name: 'houseRules' | 'terms' | 'privacy') =>
    isSameBody(content[name], shippedContent[name])
  return [
    ...([...pictureUses(content).keys()].some(id => shippedPictures.has(id)) ? ['pictures'] : []),
    ...(isExample('houseRules') ? ['house rules'] : []),
    ...(isExample('terms') ? ['terms of service'] : []),
    ...(isExample('privacy') ? ['privacy policy'] : []),
  ]
}

function factsOf(deps: Deps, db: Db | Tx, state: DraftState): Record<OpeningLine, boolean> {
  const { identity, reviews, waysToPay } = state.content
  const changed = changedSections(state.draft, state.published.content)
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = identity
  const isPublishable = Object.keys(publishErrorsOf(deps, db, state)).length === 0
  const hasOwnWays = waysToPay.ways.length > 0 && !isSameBody(waysToPay, shippedContent.waysToPay)
  return {
    contact: [companyName, propertyName, propertyAddress, ownerEmail, ownerPhone].every(text => text !== ''),
    content: isPublishable && (state.published.version > 0 || changed.length > 0),
    reviews: !reviews.reviews.some(({ sample }) => sample),
    prices: listActiveRates(db).length > 0,
    stayRules: hasBookingRules(db),
    taxes: activeTaxRules(db).length > 0,
    payments: deps.provider !== undefined || hasOwnWays,
    mail: deps.mail !== undefined,
    calendars: listFeedRows(db).length > 0,
    account: adminWithoutFactor(deps).length === 0,
    // One that is going on is not done until it is removed.
    trial: listTrialGuests(db).length > 0 && findTrialGuest(db) === undefined,
  }
}
