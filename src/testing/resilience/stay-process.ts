import { tickStays } from '../../server/arrival/gate.ts'
import { sendMessage } from '../../server/conversations/send.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { publishWaiting } from '../../server/reviews/reviews.ts'

// Draws a code, sends a message with a file or publishes a review on an existing store; killed at the point in FAILPOINT.
const [action, applicationId = '', userId = '', fileId = '', requestId = ''] = process.argv.slice(2)
const now = new Date(process.env.NOW ?? '')
const { deps, close } = await createDeps(readConfig(process.env), { clock: { now: () => now } })
const requestOrigin = { address: '203.0.113.9', userAgent: 'Test Browser 1.0' }
const actor = { role: 'tenant', userId, requestOrigin } as const
if (action === 'draw') await tickStays(deps)
if (action === 'send')
  await sendMessage(deps, { actor, applicationId }, { body: 'Here it is', fileIds: [fileId], requestId })
if (action === 'publish') await publishWaiting(deps)
close()
