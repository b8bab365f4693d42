import type { Admin } from '../domain/accounts/access.ts'
import { setStatus } from '../server/applications/set-status.ts'
import { createDeps } from '../server/create-deps.ts'
import { readConfig } from '../server/kernel/config.ts'

// Separate process that a test starts on its database: approves each application whose id it receives.
const admin: Admin = {
  role: 'admin',
  userId: process.env.ADMIN_ID ?? '',
  requestOrigin: { address: '203.0.113.8', userAgent: 'Test Browser 1.0' },
}
const now = new Date(process.env.NOW ?? '')
const { deps } = await createDeps(readConfig(process.env), { clock: { now: () => now } })
process.on('message', (id: string) => {
  setStatus(deps, admin, id, 'approved').then(
    () => process.send?.('approved'),
    (error: Error) => process.send?.(error.message),
  )
})
process.send?.('ready')
