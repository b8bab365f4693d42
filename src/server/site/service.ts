import { sql } from 'drizzle-orm'
import packageJson from '../../../package.json' with { type: 'json' }
import { dateIn } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'
import { adminExists } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'

/** What every page may know of this installation: words, today at the property, and how one can pay. */
export function getSite({ config, clock, db, provider, mail }: Deps) {
  return {
    ...config.site,
    mode: config.mode,
    today: dateIn(clock.now(), config.site.timeZone),
    cardPayments: provider !== undefined,
    sandbox: config.sandbox,
    mailbox: config.mailbox,
    mailConfigured: mail !== undefined,
    hasAdmin: adminExists(db),
    publishableKey: config.sandbox ? null : (config.stripe.publishableKey ?? null),
    cardFeeBasisPoints: config.cardFeeBasisPoints,
  }
}
export type Site = ReturnType<typeof getSite>

/** @throws AppError unavailable when the database does not answer */
export function getHealth({ db }: Deps) {
  try {
    db.get(sql`select 1`)
  } catch (cause) {
    throw new AppError('unavailable', 'The database does not answer.', { cause })
  }
  return { status: 'ok' as const, version: packageJson.version }
}
