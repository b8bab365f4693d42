import { z } from 'zod'
import { clockToleranceMs } from '../common/dates.ts'
import { hourMs } from '../common/durations.ts'
import { boundedText } from '../common/inputs.ts'
import { calendarProviders, feedModes } from './calendar-event.ts'

const staleMs = 6 * hourMs
const failingMs = 24 * hourMs
/** The longest interval after failures (CAL-11). */
const maxPauseMs = 6 * hourMs
const pollSpread = 0.2
const maxUrlLength = 2000

/** The maximum number of feeds, and of exports (CAL-07). */
export const maxFeeds = 20
export const maxExports = 20

export const feedStates = ['new', 'ok', 'stale', 'failing', 'paused'] as const
export type FeedState = (typeof feedStates)[number]
export const exportScopes = ['platform', 'cleaning', 'owner'] as const
export type ExportScope = (typeof exportScopes)[number]

export const addressMessages = {
  scheme: 'Please use an address that begins with https://',
  credentials: 'Please use an address without user name and password',
  long: `Please use at most ${maxUrlLength.toLocaleString('en-US')} characters`,
} as const

/** The address to fetch: `webcal:` becomes https (CAL-02). */
const normalizeAddress = (text: string): string => text.replace(/^webcals?:/i, 'https:')

/**
 * What is wrong with the text of a feed's address, or null (CAL-03, CAL-06).
 * @param allowedOrigins origins that may be fetched without https
 */
export function addressError(address: string, allowedOrigins: readonly string[] = []): string | null {
  const url = URL.parse(address)
  if (!url || !/^https?:\/\//i.test(address)) return addressMessages.scheme
  if (url.username !== '' || url.password !== '') return addressMessages.credentials
  return url.protocol === 'https:' || allowedOrigins.includes(url.origin) ? null : addressMessages.scheme
}

const nameRequired = 'A name is required'
/** For the owner and for files, so any character is allowed; no lease prints the name. */
const name = boundedText(60, nameRequired)
  .min(1, nameRequired)
  .refine(text => !/[\p{Cc}\u2028\u2029]/u.test(text), 'Please use one line')
/** The server decides whether http is rejected, because it knows the allowed origins. */
const feedUrl = z
  .string({ error: addressMessages.scheme })
  .trim()
  .max(maxUrlLength, addressMessages.long)
  .transform(normalizeAddress)
  .superRefine((address, context) => {
    const problem = addressError(address, [URL.parse(address)?.origin ?? ''])
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
const mode = z.enum(feedModes, 'Please choose which events to import')
const active = z.boolean({ error: 'Please choose whether the calendar is active' })

/** A feed as the owner adds it (CAL-02, CAL-03); the provider is guessed if missing. */
export const feedForm = z.object({
  name,
  url: feedUrl,
  provider: z.enum(calendarProviders, 'Please choose where the calendar is from').optional(),
  mode: mode.optional(),
})
export type FeedInput = z.output<typeof feedForm>

/** A change of a feed; missing fields stay unchanged. */
export const feedChange = z.object({
  name: name.optional(),
  url: feedUrl.optional(),
  mode: mode.optional(),
  active: active.optional(),
})
export type FeedChange = z.output<typeof feedChange>

const feedId = z.string({ error: 'Please choose a calendar' }).min(1, 'Please choose a calendar')

export const platformOnly = 'Only a calendar for a platform can be linked to an imported calendar'

/** A calendar that the owner exports. Only an export for a platform has a feed, in which its nights come back. */
export const exportForm = z
  .object({
    name,
    scope: z.enum(exportScopes, 'Please choose who will use the calendar'),
    feedId: feedId.nullish().transform(id => id ?? null),
  })
  .refine(({ feedId, scope }) => feedId === null || scope === 'platform', {
    path: ['feedId'],
    error: platformOnly,
  })
export type ExportInput = z.output<typeof exportForm>

/** A change of an export; a null `feedId` means no feed. */
export const exportChange = z.object({ name: name.optional(), feedId: feedId.nullable().optional() })
export type ExportChange = z.output<typeof exportChange>

export const rotation = z.object({
  keepOld: z.boolean({ error: 'Please choose whether to keep the old address' }),
})
export const releaseChange = z.object({
  released: z.boolean({ error: 'Please choose whether its nights are released' }),
})
export const conflictChange = z.object({
  acknowledged: z.boolean({ error: 'Please choose whether it has been dealt with' }),
})

export type FeedTimes = { active: boolean; createdAt: string; lastSuccessAt: string | null }

/**
 * A feed's state by the age of its last successful fetch (CAL-60). A feed that was never fetched is failing after a day
 * too, and one that was fetched in the future, while the clock was ahead: its age is not known.
 */
export function feedStateOf({ active, createdAt, lastSuccessAt }: FeedTimes, now: Date): FeedState {
  if (!active) return 'paused'
  const ageMs = now.getTime() - Date.parse(lastSuccessAt ?? createdAt)
  if (ageMs >= failingMs || ageMs < -clockToleranceMs) return 'failing'
  if (lastSuccessAt === null) return 'new'
  return ageMs >= staleMs ? 'stale' : 'ok'
}

/**
 * When a feed is next fetched automatically, or null for never (CAL-10, CAL-11).
 * @param failures consecutive failures including this one; 0 after a successful fetch
 * @param random 0 to 1, varies the interval by up to a fifth
 */
export function nextAttemptAt(
  now: Date,
  {
    failures,
    pollSeconds,
    random,
    retryAfterSeconds = 0,
  }: { failures: number; pollSeconds: number; random: number; retryAfterSeconds?: number },
): Date | null {
  if (pollSeconds === 0) return null
  const pollMs = pollSeconds * 1000 * (1 - pollSpread + 2 * pollSpread * random)
  if (failures === 0) return new Date(now.getTime() + pollMs)
  const pauseMs = Math.max(pollMs * 2 ** failures, retryAfterSeconds * 1000)
  return new Date(now.getTime() + Math.min(pauseMs, maxPauseMs))
}

/**
 * Whether a feed is due for an automatic fetch. A next attempt further ahead than any interval was written before the
 * clock was set back, and counts as due.
 */
export function isDue(
  { active, nextAttemptAt }: { active: boolean; nextAttemptAt: string | null },
  now: Date,
  pollSeconds: number,
): boolean {
  if (!active || pollSeconds === 0) return false
  if (nextAttemptAt === null) return true
  const waitMs = Date.parse(nextAttemptAt) - now.getTime()
  return waitMs <= 0 || waitMs > Math.max(maxPauseMs, pollSeconds * 1000 * (1 + pollSpread))
}
