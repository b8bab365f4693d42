import type { Config } from '../kernel/config.ts'
import type { Deps } from '../kernel/deps.ts'
import { wordsAt } from './published.ts'

/** Names, address and contact as they are published, and the zone of the property. */
export type CurrentSite = Config['site']

/**
 * The one source of the site's name, address and contact for pages, mails, leases and PDFs (SITE-22): what is published,
 * and the environment's until somebody changed it in the browser.
 */
export function currentSite({ config, words }: Pick<Deps, 'config' | 'words'>): CurrentSite {
  return { ...words().content.identity, timeZone: config.site.timeZone }
}

/** The same as it was published at a moment, a UTC ISO text: for what was made then and must not change. */
export function siteAt({ config, db }: Pick<Deps, 'config' | 'db'>, at: string): CurrentSite {
  return { ...wordsAt(db, config, at).content.identity, timeZone: config.site.timeZone }
}

/** How many people the property sleeps, applicants included (SITE-14). */
export const guestLimitOf = ({ words }: Pick<Deps, 'words'>): number => words().content.facts.sleeps
