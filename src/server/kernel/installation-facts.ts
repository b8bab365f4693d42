import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { installationFacts } from '../../../db/schema.ts'

/** One stored fact about this installation; undefined if it was never stored. */
export function readFact(db: Db, key: string): string | undefined {
  return db.select().from(installationFacts).where(eq(installationFacts.key, key)).get()?.value
}

/** Stores a fact, replacing an earlier value. */
export function writeFact(tx: Tx, key: string, value: string): void {
  tx.insert(installationFacts)
    .values({ key, value })
    .onConflictDoUpdate({ target: installationFacts.key, set: { value } })
    .run()
}

/** Stores a fact unless it already has a value. */
export function addFact(tx: Tx, key: string, value: string): void {
  tx.insert(installationFacts).values({ key, value }).onConflictDoNothing().run()
}
