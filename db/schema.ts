// Timestamps are UTC ISO strings, calendar dates YYYY-MM-DD, money integer cents. No foreign key cascades.

export * from './schema/accounts.ts'
export * from './schema/applications.ts'
export * from './schema/bookings.ts'
export * from './schema/calendars.ts'
export * from './schema/conversations.ts'
export * from './schema/deposits.ts'
export * from './schema/kernel.ts'
export * from './schema/leases.ts'
export * from './schema/messages.ts'
export * from './schema/money.ts'
export * from './schema/site.ts'
export * from './schema/stays.ts'
