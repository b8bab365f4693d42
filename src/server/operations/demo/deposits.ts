import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../../../db/project-root.ts'
import type { Admin, Tenant } from '../../../domain/accounts/access.ts'
import { statementForm } from '../../../domain/money/deposit-input.ts'
import type { Deps } from '../../kernel/deps.ts'
import { addItem, addItemPhoto } from '../../money/deposits/items.ts'
import { todayOf } from '../../money/deposits/records.ts'
import { keepItems, returnDeposit } from '../../money/deposits/settle.ts'
import { agreeTo, sendStatement } from '../../money/deposits/statements.ts'
import type { Guest } from './guests.ts'
import { withProof } from './with-proof.ts'

/** The items with a photo each and their statement; once agreed, they are kept and the rest goes back by hand. */
export async function claimDeposit(
  deps: Deps,
  { id, owner, tenant }: { id: string; owner: Admin; tenant: Tenant },
  { isAgreed, items }: NonNullable<Guest['claim']>,
): Promise<void> {
  for (const [i, item] of items.entries()) {
    const itemId = await addItem(deps, owner, id, item)
    const picture = i === 0 ? '12-balcony-evening.jpg' : '03-living-room.jpg'
    const source = createReadStream(join(projectRoot, 'src/server/site/content/pictures', picture))
    await addItemPhoto(deps, owner, { itemId }, { source, name: picture })
  }
  const statementId = await sendStatement(deps, owner, id, statementOf(deps))
  if (!isAgreed) return
  await agreeTo(deps, tenant, id, statementId)
  await withProof(deps, owner, async proven => {
    await keepItems(deps, proven, id, '')
    await returnDeposit(deps, proven, id, { requestId: randomUUID(), route: 'hand', hand: byCheck })
  })
}

/** By post where the demo sends no mail. */
const statementOf = (deps: Deps) =>
  statementForm.parse({
    requestId: randomUUID(),
    ...(deps.mail
      ? { how: 'email' }
      : { how: 'post', trackingNumber: '9407 1118 9922 3344', sentOn: todayOf(deps) }),
  })
const byCheck = { checkNumber: '2417', note: 'Rest of the deposit' }
