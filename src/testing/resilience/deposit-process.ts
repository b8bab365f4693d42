import { cancelStay } from '../../server/applications/cancellation/cancel.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { returnDeposit } from '../../server/money/deposits/settle.ts'
import { sendStatement } from '../../server/money/deposits/statements.ts'
import { connectProvider } from '../../server/money/payments/stripe.ts'

// Returns a deposit, sends a statement or cancels the stay on an existing store; killed at the point in FAILPOINT, or some time after the start.
const [action, applicationId = '', userId = '', sessionId = '', requestId = ''] = process.argv.slice(2)
const now = new Date(process.env.NOW ?? '')
const provider = connectProvider(process.env.PROVIDER_URL, 'sk_test_of_the_tests', 'whsec_of_the_tests')
const mail = { send: async () => {} }
const { deps, close } = await createDeps(readConfig(process.env), {
  clock: { now: () => now },
  mail,
  provider,
})
const requestOrigin = { address: '203.0.113.9', userAgent: 'Test Browser 1.0' }
const admin = { role: 'admin', userId, sessionId, requestOrigin } as const
if (process.env.KILL_AFTER)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(process.env.KILL_AFTER))
if (action === 'return')
  await returnDeposit(deps, admin, applicationId, {
    requestId,
    route: 'source',
    hand: { checkNumber: '', note: '' },
  })
else if (action === 'cancel')
  await cancelStay(deps, admin, applicationId, { side: 'owner', reason: 'A pipe burst.' })
else
  await sendStatement(deps, admin, applicationId, {
    requestId,
    how: 'email',
    trackingNumber: '',
    emailAgreed: false,
    late: false,
  })
close()
