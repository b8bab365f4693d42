import { sql } from 'drizzle-orm'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { messagesSection, reviewsSection, staySection } from '../../domain/arrival/stay-settings.ts'
import { AppError } from '../../domain/common/errors.ts'
import { apiCents, wireDate } from '../../domain/common/wire.ts'
import type { SiteContent } from '../../domain/content/content.ts'
import { interpolateBlocks } from '../../domain/content/content-blocks.ts'
import { homeContent } from '../../domain/content/content-errors.ts'
import {
  interpolate,
  type PlaceholderValues,
  placeholderValues,
} from '../../domain/content/content-placeholders.ts'
import type { HomeView, LegalView, PageContent } from '../../domain/content/content-views.ts'
import type { ContentPage } from '../../domain/content/public-pages.ts'
import { townOf } from '../../domain/content/town.ts'
import { dependsOnGuests } from '../../domain/money/charge.ts'
import { depositSection } from '../../domain/money/deposit-input.ts'
import { hasPasskeys } from '../auth/factors/passkeys/queries.ts'
import { adminExists } from '../auth/sessions/users.ts'
import { hasBookingRules, readBookingRules } from '../bookings/booking-rules.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { openings } from '../kernel/opening.ts'
import { activeFeeRules, activeTaxRules } from '../money/charge-rules.ts'
import { reviewsOfPage } from '../reviews/reviews.ts'
import { blocksOf } from './content/parsed-texts.ts'
import { type PictureSource, readPictures } from './content/pictures.ts'
import { currentSite } from './content/published.ts'
import { readCardFee, readSection } from './settings.ts'

/** What every page needs about this installation: content, today's date at the property, and ways to pay. */
export const siteView = z.strictObject({
  companyName: z.string(),
  propertyName: z.string(),
  /** Until the site is opened, only its town. */
  propertyAddress: z.string(),
  town: z.string(),
  timeZone: z.string(),
  ownerEmail: z.string(),
  ownerPhone: z.string(),
  mode: z.enum(['demo', 'production']),
  /** Visitors see the public pages only while the site is open. */
  opening: z.enum(openings),
  today: wireDate,
  /** Set while `CLOCK_OFFSET` shifts the clock. */
  clockOffsetMs: z.int().optional(),
  cardPayments: z.boolean(),
  sandbox: z.boolean(),
  mailbox: z.boolean(),
  mailConfigured: z.boolean(),
  hasAdmin: z.boolean(),
  /** Whether anybody can log in with a passkey. */
  hasPasskeys: z.boolean(),
  publishableKey: z.string().nullable(),
  cardFeeBasisPoints: z.int(),
  /** Whether any fees, discounts or taxes are set up. */
  hasCharges: z.boolean(),
  /** Whether a fee depends on the number of guests. */
  asksGuests: z.boolean(),
  /** What the owner has switched on for guests; missing if nothing is. */
  forGuests: z.array(z.enum(['stay', 'messages', 'reviews'])).optional(),
  hasBookingRules: z.boolean(),
  /** Whether guests are held to the min and max stay of the rates. */
  hasStayLength: z.boolean(),
  /** The security deposit of new leases; null if it is as much as the rent. */
  depositCents: apiCents.nullable(),
  /** The maximum number of guests. */
  guestLimit: z.int(),
  /** The home page's title, after the property's name. */
  homeTitle: z.string(),
  /** The preview of shared links: the picture's path, and its size in pixels. */
  sharing: z.strictObject({
    picture: z.strictObject({ path: z.string(), width: z.int(), height: z.int() }).nullable(),
    alt: z.string(),
  }),
})
export type Site = z.infer<typeof siteView>

/** The default until the owner writes another title. */
const defaultHomeTitle = 'two-bedroom beachfront vacation rental'

/** What every page needs about this installation, with the published content. */
export function getSite(deps: Deps): Site {
  const { config, db, provider, mail } = deps
  const fees = activeFeeRules(db)
  const { facts, hero, search } = deps.siteContent().content
  const site = currentSite(deps)
  const opening = deps.opening()
  const forGuests = [staySection, messagesSection, reviewsSection]
    .filter(section => readSection(db, section).body.enabled)
    .map(({ name }) => name)
  const town = townOf(site.propertyAddress)
  return {
    ...site,
    ...(opening === 'never' && { propertyAddress: town }),
    town,
    mode: config.mode,
    opening,
    today: todayAt(deps),
    ...(config.clockOffsetMs !== 0 && { clockOffsetMs: config.clockOffsetMs }),
    cardPayments: provider !== undefined,
    sandbox: config.sandbox,
    mailbox: config.mailbox,
    mailConfigured: mail !== undefined,
    hasAdmin: adminExists(db),
    hasPasskeys: hasPasskeys(deps),
    publishableKey: config.sandbox
      ? null
      : (config.stripe.publishableKey ?? provider?.publishableKey ?? null),
    cardFeeBasisPoints: readCardFee(deps),
    hasCharges: fees.length > 0 || activeTaxRules(db).length > 0,
    asksGuests: fees.some(({ per }) => dependsOnGuests(per)),
    ...(forGuests.length > 0 && { forGuests }),
    hasBookingRules: hasBookingRules(db),
    hasStayLength: readBookingRules(db).stayLength,
    depositCents: readSection(db, depositSection).body.amountCents,
    guestLimit: facts.sleeps,
    homeTitle: search.title || defaultHomeTitle,
    sharing: { picture: readPictures(db).social(hero.picture, hero.focal) ?? null, alt: hero.alt },
  }
}

/** @throws AppError unavailable when the database does not respond */
export function getHealth({ db }: Deps) {
  try {
    db.get(sql`select 1`)
  } catch (cause) {
    throw new AppError('unavailable', 'The database does not answer.', { cause })
  }
  return { status: 'ok' as const, version: packageJson.version }
}

/** The content of a public page, with its pictures. */
export function pageContent(deps: Deps, page: ContentPage): PageContent {
  const { content, version } = deps.siteContent()
  const whole = { version, site: content.identity }
  if (page === 'home') return { page, ...whole, content: homeView(deps, content) }
  if (page === 'privacy') return { page, ...whole, content: { privacy: legalView(deps, content[page]) } }
  if (page === 'terms') return { page, ...whole, content: { terms: legalView(deps, content[page]) } }
  const pictures = readPictures(deps.db)
  const contact = {
    ...content.contact,
    picture: pictureOrNull(pictures, content.contact.picture),
    poster: pictures.page(videoPoster),
  }
  return { page, ...whole, content: { contact } }
}

/** The first frame of the shipped video. */
const videoPoster = 'contact-poster'

function homeView(deps: Deps, content: SiteContent): HomeView {
  const pictures = readPictures(deps.db)
  const { gallery, hero, houseRules, location, overview, reviews, ...home } = homeContent(content)
  const shown = reviewsOfPage(deps)
  // Sample reviews are shown in the demo only (OPEN-05).
  const isShown = ({ sample }: { sample: boolean }) => !sample || deps.config.mode === 'demo'
  return {
    ...home,
    reviews: { ...reviews, ...shown, reviews: shown.reviews.filter(isShown) },
    hero: { ...hero, picture: pictures.hero(hero.picture, hero.focal) },
    overview: { ...overview, picture: pictures.page(overview.picture) },
    gallery: {
      ...gallery,
      pictures: gallery.pictures.map(each => ({ ...each, picture: pictures.page(each.picture) })),
    },
    location: { ...location, picture: pictureOrNull(pictures, location.picture) },
    ...(houseRules && { houseRules: { showOnPage: true, rules: houseRules.rules } }),
  }
}

const pictureOrNull = ({ page }: PictureSource, id: string | null) => (id === null ? null : page(id))

function legalView(deps: Deps, { effective, intro, text }: SiteContent['privacy']): LegalView {
  const values = placeholderValuesFor(deps)
  const blocks = interpolateBlocks(blocksOf(deps.db, text), values)
  return { effective, intro: interpolate(intro, values), blocks }
}

/** Ways to pay without a card, with their placeholders filled in (SITE-16). */
export function waysToPay(deps: Deps): { name: string; instructions: string }[] {
  const values = placeholderValuesFor(deps)
  return deps.siteContent().content.waysToPay.ways.map(({ instructions, name }) => ({
    name,
    instructions: interpolate(instructions, values),
  }))
}

const placeholderValuesFor = (deps: Deps): PlaceholderValues =>
  placeholderValues(deps.siteContent().content.identity, readCardFee(deps))
