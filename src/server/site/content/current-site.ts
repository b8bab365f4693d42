import type { Config } from '../../kernel/config.ts'
import type { Deps } from '../../kernel/deps.ts'
import { publishedContentAt } from './published.ts'

/** The published names, address and contact, and the time zone of the property. */
export type CurrentSite = Config['site']

/**
 * The only source of the site's name, address and contact for pages, mails, leases and PDFs (SITE-22): the published
 * values, or those of the environment until the owner publishes others.
 */
export function currentSite({ config, siteContent }: Pick<Deps, 'config' | 'siteContent'>): CurrentSite {
  return { ...siteContent().content.identity, timeZone: config.site.timeZone }
}

/** The site as published at `at`, a UTC ISO text: for documents created then, which must not change. */
export function siteAt({ config, db }: Pick<Deps, 'config' | 'db'>, at: string): CurrentSite {
  return { ...publishedContentAt(db, config, at).content.identity, timeZone: config.site.timeZone }
}

/** The maximum number of people in the property, including applicants (SITE-14). */
export const guestLimitOf = ({ siteContent }: Pick<Deps, 'siteContent'>): number =>
  siteContent().content.facts.sleeps
