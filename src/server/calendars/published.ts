import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../../../db/open.ts'
import type { PlatformExport } from '../../domain/calendar-echo.ts'
import type { Deps } from '../kernel/deps.ts'
import { addSetting, readSetting } from '../kernel/settings.ts'

/** Brings what exports last said up to date. */
export function renewPublished(_deps: Deps, _tx: Tx): void {}

/** Whether `renewPublished` would change anything: to be asked before a write is begun. */
export function isPublishedStale(_deps: Deps, _db: Db | Tx): boolean {
  return false
}

const uidDomainKey = 'calendar_uid_domain'

/** The domain of the UIDs that this site gives out, made once (CAL-46, CAL-54). */
export function uidDomainOf(tx: Tx): string {
  addSetting(tx, uidDomainKey, `${randomUUID()}.calendar`)
  return readSetting(tx, uidDomainKey) ?? ''
}

/** Platform exports for a feed or for none, as their readers know them; `present`: see `ReadingContext.exportsWith`. */
export function platformExportsFor(
  _deps: Deps,
  _db: Db | Tx,
  _feedId: string,
): (present: ReadonlySet<string>) => PlatformExport[] {
  return () => []
}
