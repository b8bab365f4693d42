import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const rates = sqliteTable('rates', {
  id: text().primaryKey(),
  period: text().notNull(),
  startDate: text('start_date').notNull(),
  endDate: text('end_date').notNull(),
  nightlyCents: integer('nightly_cents'),
  weekendNightCents: integer('weekend_night_cents'),
  weeklyCents: integer('weekly_cents'),
  monthlyCents: integer('monthly_cents').notNull(),
  minStay: integer('min_stay').notNull(),
  maxStay: integer('max_stay'),
  isActive: integer('is_active', { mode: 'boolean' }).notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
})

/**
 * Availability that the owner set by hand; bookings are derived from the applications. A date without a row is
 * available.
 */
export const availability = sqliteTable('availability', {
  date: text().primaryKey(),
  isAvailable: integer('is_available', { mode: 'boolean' }).notNull(),
  reason: text().notNull(),
  updatedAt: text('updated_at').notNull(),
})
