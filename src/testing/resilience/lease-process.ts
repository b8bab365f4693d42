import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { signLease } from '../../server/leases/sign.ts'
import { openSigner } from '../../server/leases/signing/open.ts'
import { signByLink } from '../../server/leases/signing/sign.ts'
import { uploadSignedLease } from '../../server/leases/upload.ts'
import { scanPdf, typedSignature } from '../build-lease.ts'
import { signatureOf } from '../build-signing.ts'

// Signs or uploads one lease on an existing store; killed at the point in FAILPOINT. With a token, signs by that link.
const [action, applicationId = '', userId = '', token = ''] = process.argv.slice(2)
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
else if (action === 'link') {
  const actor = { role: 'guest', requestOrigin: { address: '203.0.113.9', userAgent: 'Phone' } } as const
  const given = { ...signatureOf(await openSigner(deps, token)), mode: undefined }
  await signByLink(deps, actor, { token, ...given })
} else await uploadSignedLease(deps, actor, 'tenant', { applicationId, content: scanPdf(), name: 'scan.pdf' })
close()
