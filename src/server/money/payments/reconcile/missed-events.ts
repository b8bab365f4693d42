import { z } from 'zod'
import { plural } from '../../../../domain/common/plural.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { readFact, writeFact } from '../../../kernel/installation-facts.ts'
import type { NoticeCheck } from '../../../kernel/notice.ts'

const key = 'events.missed'
const fact = z.object({ at: z.string(), missed: z.int() })

/** Events had to be fetched that the provider should have sent. */
export const recordMissed = (deps: Deps, missed: number): Promise<void> =>
  deps.write(tx => writeFact(tx, key, JSON.stringify({ at: nowIso(deps), missed })))

/** An event has arrived by itself, so the webhook works. */
export async function endMissedEvents(deps: Deps): Promise<void> {
  if (readFact(deps.db, key)) await deps.write(tx => writeFact(tx, key, ''))
}

/** Until an event arrives by itself. */
export const missedEvents: NoticeCheck = ({ db }) => {
  const value = readFact(db, key)
  if (!value) return []
  const { at, missed } = fact.parse(JSON.parse(value))
  return [
    {
      id: 'events-missed',
      title: 'Stripe’s messages do not reach this site',
      detail: `${plural(missed, 'message')} about payments came only because the site asks for them every hour. Check at Stripe that the webhook has this site’s address, and enter its signing secret again.`,
      at,
      action: { kind: 'setup' },
    },
  ]
}
