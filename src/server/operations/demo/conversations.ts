import { randomUUID } from 'node:crypto'
import type { Admin } from '../../../domain/accounts/access.ts'
import { messagesSection, reviewsSection } from '../../../domain/arrival/stay-settings.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { findUserByEmail } from '../../auth/sessions/users.ts'
import { listApplicationsOf } from '../../bookings/records.ts'
import { markRead, sendMessage } from '../../conversations/send.ts'
import { writeReview } from '../../reviews/reviews.ts'
import { saveSection } from '../../site/settings.ts'
import { emailOf } from './guests.ts'
import { type SeedRuntime, withProof } from './seed-runtime.ts'

/** Messages, of which one waits for an answer, and a review that waits for the owner. */
export async function seedConversations(
  { deps, setNow }: SeedRuntime,
  admin: Admin,
  now: Date,
): Promise<void> {
  const body = { enabled: true }
  await saveSection(deps, admin, messagesSection, { version: 0, body })
  await saveSection(deps, admin, reviewsSection, { version: 0, body })
  const tenantOf = (firstName: string) => {
    const userId = findUserByEmail(deps.db, emailOf({ firstName }))?.id ?? ''
    const { requestOrigin } = admin
    const applicationId = listApplicationsOf(deps.db, admin, userId)[0]?.application.id ?? ''
    return { actor: { role: 'tenant', userId, requestOrigin } as const, applicationId }
  }
  const hoursAgo = (hours: number) => setNow(new Date(now.getTime() - hours * hourMs))
  const write = (sender: Parameters<typeof sendMessage>[1], body: string) =>
    sendMessage(deps, sender, { body, fileIds: [], requestId: randomUUID() })
  const [nina, sam, ruth] = [tenantOf('Nina'), tenantOf('Sam'), tenantOf('Ruth')]
  hoursAgo(50)
  await write(nina, 'Is there a cot for our youngest?')
  hoursAgo(49)
  const answer = 'Yes. It will stand in the second bedroom.'
  await withProof(deps, admin, async actor => {
    await markRead(deps, { ...nina, actor }, { number: 1 })
    await write({ ...nina, actor }, answer)
  })
  hoursAgo(26)
  await writeReview(deps, ruth.actor, {
    applicationId: ruth.applicationId,
    rating: 5,
    title: 'A month by the sea',
    name: 'initial',
    text: 'We walked on the beach every morning and cooked every evening. Everything was as the pictures show it.',
  })
  hoursAgo(3)
  await write(sam, 'Can we arrive at noon? Our flight is early.')
}
