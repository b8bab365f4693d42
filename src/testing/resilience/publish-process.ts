import { createDeps } from '../../server/create-deps.ts'
import { publishDraft } from '../../server/editor/publish.ts'
import { readConfig } from '../../server/kernel/config.ts'

// A process that publishes the draft of an existing store, to be killed at the point that FAULT_POINT names.
const [userId = '', revision] = process.argv.slice(2)
const { deps, close } = await createDeps(readConfig(process.env))
const requestOrigin = { address: '203.0.113.9', userAgent: 'Doomed' }
await publishDraft(deps, { role: 'admin', userId, requestOrigin }, { revision: Number(revision), note: '' })
close()
