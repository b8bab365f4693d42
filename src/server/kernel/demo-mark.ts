import type { Db, Tx } from '../../../db/open.ts'
import { ConfigError } from './config.ts'
import type { Deps } from './deps.ts'
import { addFact, readFact } from './installation-facts.ts'

const key = 'demo'

/** Marks the database as demo data: its administrator has a publicly known password. */
export function markAsDemo(tx: Tx, at: string): void {
  addFact(tx, key, at)
}

export function isMarkedAsDemo(db: Db): boolean {
  return readFact(db, key) !== undefined
}

/** @throws ConfigError when production is started on a demo database */
export function assertNotDemoData({ config, db }: Deps): void {
  if (config.mode !== 'production' || !isMarkedAsDemo(db)) return
  throw new ConfigError(
    `The site was not started: ${config.databaseFile} holds the data of the demo. Set DATABASE_FILE and UPLOADS_DIR to a new place for the real site.`,
  )
}
