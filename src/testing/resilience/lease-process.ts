import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { signLease } from '../../server/leases/sign.ts'
import { uploadSignedLease } from '../../server/leases/upload.ts'
import { scanPdf, typedSignature } from '../build-lease.ts'

// Signs or uploads one lease on an existing store; killed at the point in FAILPOINT.
const [action, applicationId = '', userId = ''] = process.argv.slice(2)
const { deps, close } = await createDeps(readConfig(process.env))
const actor = {
  role: 'tenant',
  userId,
  requestOrigin: { address: '203.0.113.9', userAgent: 'Test Browser 1.0' },
} as const
if (action === 'sign')
  await signLease(deps, actor, {
    ...typedSignature(applicationId),
    leaseTextSha256: undefined,
  })
else await uploadSignedLease(deps, actor, 'tenant', { applicationId, content: scanPdf(), name: 'scan.pdf' })
close()
