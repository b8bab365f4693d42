import { sql } from 'drizzle-orm'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { dateIn } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { wireDate } from '../../domain/common/wire.ts'
import { hasPasskeys } from '../auth/factors/passkeys/queries.ts'
import { adminExists } from '../auth/sessions/users.ts'
import { hasBookingRules } from '../bookings/booking-rules.ts'
import type { Deps } from '../kernel/deps.ts'
import { activeFeeRules, activeTaxRules } from '../money/charge-rules.ts'
import { currentSite } from './content/current-site.ts'
import { readPictures } from './content/pictures.ts'

/** What every page needs about this installation: content, today's date at the property, and ways to pay. */
export const siteView = z.strictObject({
  companyName: z.string(),
  propertyName: z.string(),
  propertyAddress: z.string(),
  timeZone: z.string(),
  ownerEmail: z.string(),
  ownerPhone: z.string(),
  mode: z.enum(['demo', 'production']),
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
  hasBookingRules: z.boolean(),
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
  const { config, clock, db, provider, mail } = deps
  const fees = activeFeeRules(db)
  const { facts, hero, search } = deps.siteContent().content
  return {
    ...currentSite(deps),
    mode: config.mode,
    today: dateIn(clock.now(), config.site.timeZone),
    ...(config.clockOffsetMs !== 0 && { clockOffsetMs: config.clockOffsetMs }),
    cardPayments: provider !== undefined,
    sandbox: config.sandbox,
    mailbox: config.mailbox,
    mailConfigured: mail !== undefined,
    hasAdmin: adminExists(db),
    hasPasskeys: hasPasskeys(deps),
    publishableKey: config.sandbox ? null : (config.stripe.publishableKey ?? null),
    cardFeeBasisPoints: config.cardFeeBasisPoints,
    hasCharges: fees.length > 0 || activeTaxRules(db).length > 0,
    asksGuests: fees.some(({ per }) => per === 'guest' || per === 'guest_night'),
    hasBookingRules: hasBookingRules(db),
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
