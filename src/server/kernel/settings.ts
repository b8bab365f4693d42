import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { settings } from '../../../db/schema.ts'

/** A single fact about this installation; undefined where it was never stored. */
export function readSetting(db: Pick<Db, 'select'>, key: string): string | undefined {
  return db.select().from(settings).where(eq(settings.key, key)).get()?.value
}

/** Stores a fact, over what was stored before. */
export function writeSetting(tx: Tx, key: string, value: string): void {
  tx.insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
    .run()
}

/** Stores a fact unless there is one already, which stays. */
export function addSetting(tx: Tx, key: string, value: string): void {
  tx.insert(settings).values({ key, value }).onConflictDoNothing().run()
}
