import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { readFact, writeFact } from './installation-facts.ts'

/** The accounts of the owner's trials as a guest, before the site is opened (OPEN-07). Removed ones stay in the list. */
const key = 'trial-guests'
const stored = z.array(z.string()).catch([])

export const listTrialGuests = (db: Db | Tx): string[] => stored.parse(JSON.parse(readFact(db, key) ?? '[]'))

export const isTrialGuest = (db: Db | Tx, userId: string): boolean => listTrialGuests(db).includes(userId)

export function addTrialGuest(tx: Tx, userId: string): void {
  writeFact(tx, key, JSON.stringify([...listTrialGuests(tx), userId]))
}

/** Leaves the rows of trials out: they count in no figure. */
export const isNotTrial = (userId: AnyColumn | SQL): SQL =>
  sql`${userId} not in (select value from json_each((select value from settings where key = ${sql.raw(`'${key}'`)})))`
