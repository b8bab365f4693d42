import { eq, isNull } from 'drizzle-orm'
import { calendarFeeds } from '../../../../db/schema.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError } from '../../../domain/common/errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { seal, unseal } from '../../lib/sealed.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { FeedRow } from './records.ts'

type Key = Pick<Deps, 'key'>

/**
 * The columns of a feed's address: hashed and encrypted, so that a stolen backup does not open the other platform's
 * calendar.
 * @throws AppError unavailable with a damaged key
 */
export function storedAddress({ key }: Key, id: string, address: string) {
  if (key.state !== 'ready') throw new AppError('unavailable', calendarMessages.keyDamaged)
  return { url: sha256(address), urlEnc: seal(key.key, id, Buffer.from(address)) }
}

/** A feed's address; undefined if the key that encrypted it is lost: then the feed is not read. */
export function feedAddress({ key }: Key, { id, url, urlEnc }: FeedRow): string | undefined {
  if (urlEnc === null) return url
  return key.state === 'ready' ? unseal(key.key, id, urlEnc)?.toString() : undefined
}

/** Whether a feed has this address. Earlier versions stored it in plain text. */
export const hasAddress = ({ url }: FeedRow, address: string): boolean =>
  url === address || url === sha256(address)

/** Hashes and encrypts the addresses that earlier versions stored in plain text, and clears those of removed feeds. */
export async function sealFeedAddresses(deps: Pick<Deps, 'db' | 'key' | 'write'>): Promise<void> {
  const rows = () =>
    deps.db
      .select()
      .from(calendarFeeds)
      .where(isNull(calendarFeeds.urlEnc))
      .all()
      .filter(({ removedAt, url }) => (removedAt === null ? deps.key.state === 'ready' : url !== ''))
  if (rows().length === 0) return
  await deps.write(tx => {
    for (const { id, removedAt, url } of rows())
      tx.update(calendarFeeds)
        .set(removedAt === null ? storedAddress(deps, id, url) : { url: '' })
        .where(eq(calendarFeeds.id, id))
        .run()
  })
}
