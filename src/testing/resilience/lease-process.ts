import { newAddendumForm } from '../../domain/leases/addendum.ts'
import { signAddendumInput } from '../../domain/leases/lease-signing-form.ts'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { makeAddendum } from '../../server/leases/addenda/make.ts'
import { readAddendum } from '../../server/leases/addenda/queries.ts'
import { signAddendum } from '../../server/leases/addenda/sign.ts'
import { signLease } from '../../server/leases/sign.ts'
import { openSigner } from '../../server/leases/signing/open.ts'
import { signByLink } from '../../server/leases/signing/sign.ts'
import { uploadSignedLease } from '../../server/leases/upload.ts'
import { scanPdf, typedSignature } from '../build-lease.ts'
import { signatureOf } from '../build-signing.ts'

// Signs or uploads one lease on an existing store, or makes or signs an addendum; killed at the point in FAILPOINT. With a token, signs by that link.
const [action, applicationId = '', userId = '', token = ''] = process.argv.slice(2)
const { NOW } = process.env
const clock = { now: () => (NOW ? new Date(NOW) : new Date()) }
const { deps, close } = await createDeps(readConfig(process.env), { clock })
const requestOrigin = { address: '203.0.113.9', userAgent: 'Test Browser 1.0' }
const actor = { role: 'tenant', userId, requestOrigin } as const
if (action === 'sign')
  await signLease(deps, actor, {
    ...typedSignature(applicationId),
    leaseTextSha256: undefined,
  })
else if (action === 'link') {
  const given = { ...signatureOf(await openSigner(deps, token)), mode: undefined }
  await signByLink(deps, { role: 'guest', requestOrigin }, { token, ...given })
} else if (action === 'make-addendum')
  await makeAddendum(deps, { role: 'admin', userId, requestOrigin }, applicationId, {
    ...newAddendumForm.parse({ leaseEndDate: '2026-07-15', rentalAmount: 2500 }),
  })
else if (action === 'sign-addendum') {
  const { addendumTextSha256, noticeSha256 } = await readAddendum(deps, actor, applicationId)
  const given = { addendumId: applicationId, addendumTextSha256, noticeSha256 }
  await signAddendum(
    deps,
    actor,
    signAddendumInput.parse({ ...given, typedName: 'Maya Rivers', consent: true }),
  )
} else await uploadSignedLease(deps, actor, 'tenant', { applicationId, content: scanPdf(), name: 'scan.pdf' })
close()
