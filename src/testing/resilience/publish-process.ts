import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { publishDraft } from '../../server/site/editor/publish.ts'

// Publishes the draft of an existing store; killed at the point in FAILPOINT.
const [userId = '', sessionId, revision] = process.argv.slice(2)
const now = new Date(process.env.NOW ?? '')
const { deps, close } = await createDeps(readConfig(process.env), { clock: { now: () => now } })
const requestOrigin = { address: '203.0.113.9', userAgent: 'Test Browser 1.0' }
const actor = { role: 'admin', userId, sessionId, requestOrigin } as const
await publishDraft(deps, actor, { revision: Number(revision), note: '' })
close()
