import { and, countDistinct, eq, isNotNull, notLike } from 'drizzle-orm'
import { userFactors, users } from '../../../../db/schema.ts'
import { safetyNotices } from '../../../domain/accounts/account-safety-messages.ts'
import type { FoundNotice, NoticeCheck } from '../../kernel/notice.ts'
import { sealedPrefix } from '../../lib/sealed.ts'

const isConfirmed = isNotNull(userFactors.confirmedAt)

/**
 * Urges administrators to add a second factor (SAFE-02), except in the demo, whose dashboard follows the product spec.
 */
export const adminWithoutFactor: NoticeCheck = deps => {
  const id = 'admin-without-factor'
  if (deps.config.mode === 'demo') return []
  const isAdmins = and(eq(users.role, 'admin'), isConfirmed)
  const factors = deps.db.select({ id: userFactors.id }).from(userFactors)
  const found = factors.innerJoin(users, eq(users.id, userFactors.userId)).where(isAdmins).limit(1).get()
  if (found) return []
  return [{ id, tone: 'warning', ...safetyNotices.adminWithoutFactor, action: { kind: 'two_step', id } }]
}

/** A key that is unusable, does not match the stored secrets, or was readable by others (F4). */
export const installationKey: NoticeCheck = ({ db, key }) => {
  const { damagedKey, exposedKey, lostKey } = safetyNotices
  if (key.state !== 'ready')
    return [{ id: 'key-damaged', title: damagedKey.title, detail: damagedKey.detail(key.message) }]
  const isForeign = notLike(userFactors.secretEnc, `${sealedPrefix(key.key)}%`)
  const people = db
    .select({ count: countDistinct(userFactors.userId) })
    .from(userFactors)
    .where(and(isConfirmed, isForeign))
    .get()?.count
  const lost: FoundNotice[] = people ? [{ id: `key-lost-${key.key.id}`, ...lostKey(people) }] : []
  const exposed: FoundNotice[] = key.wasExposed ? [{ id: 'key-exposed', tone: 'warning', ...exposedKey }] : []
  return [...lost, ...exposed]
}
