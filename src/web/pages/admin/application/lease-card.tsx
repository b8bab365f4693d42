import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isBooked } from '../../../../domain/application-status.ts'
import { formatMoment } from '../../../../domain/dates.ts'
import { leaseMessages, leaseState } from '../../../../domain/lease.ts'
import { describeTermRent, termRent } from '../../../../domain/lease-terms.ts'
import { dollarsToCents, formatCents } from '../../../../domain/money.ts'
import { formatStay } from '../../../../domain/stay.ts'
import { api } from '../../../api/api.ts'
import type { Site } from '../../../api/site.ts'
import { openSignedLease, uploadLeaseAsAdmin } from '../../../features/leases/lease-files.ts'
import { LeaseStateBadge } from '../../../features/leases/lease-state-badge.tsx'
import { UploadBox } from '../../../features/leases/upload-box.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type Application, useInvalidateApplication } from './application-data.ts'
import { GenerateLeaseDialog } from './generate-lease-dialog.tsx'
import { LeaseTextDialog } from './lease-text-dialog.tsx'
import { RemoveLeaseDialog } from './remove-lease-dialog.tsx'

type LeaseCardProps = { application: Application; site: Site }
type LeaseModal = 'generate' | 'text' | 'delete' | 'void'

export function LeaseCard({ application, site }: LeaseCardProps) {
  const [modal, setModal] = useState<LeaseModal>()
  const { leaseGenerated, leaseSigned, signedLeaseFile } = application
  const invalidate = useInvalidateApplication()
  const close = () => setModal(undefined)
  return (
    <Card aria-label="Lease Information">
      <CardHeader title="Lease Information" action={<LeaseStateBadge state={leaseState(application)} />} />
      <CardBody className="grid gap-4">
        {leaseGenerated ? (
          <LeaseTerms application={application} />
        ) : (
          <p className="text-muted">
            {isBooked(application.status)
              ? 'The lease is not generated yet.'
              : 'The lease can be generated once the application is approved.'}
          </p>
        )}
        {signedLeaseFile && <SignedFile application={application} timeZone={site.timeZone} />}
        <div className="flex flex-wrap gap-2.5">
          {!leaseSigned && (
            <Button
              size="sm"
              variant={leaseGenerated ? 'secondary' : 'primary'}
              disabled={!isBooked(application.status)}
              onClick={() => setModal('generate')}
            >
              {leaseGenerated ? 'Regenerate' : 'Generate Lease'}
            </Button>
          )}
          {leaseGenerated && (
            <Button size="sm" variant="secondary" onClick={() => setModal('text')}>
              Lease Text
            </Button>
          )}
          <ViewSigned application={application} />
          {signedLeaseFile && (
            <Button size="sm" variant="secondary" onClick={() => setModal('void')}>
              Void Signature
            </Button>
          )}
          {(leaseGenerated || signedLeaseFile) && (
            <Button size="sm" variant="secondary" className="text-red" onClick={() => setModal('delete')}>
              Delete Lease
            </Button>
          )}
        </div>
        {leaseGenerated && !leaseSigned && (
          <div className="border-t border-line pt-4">
            <UploadBox
              label="Lease signed on paper"
              send={uploadLeaseAsAdmin(application.id)}
              onUploaded={invalidate}
            />
          </div>
        )}
      </CardBody>
      {modal === 'generate' && <GenerateLeaseDialog application={application} site={site} onClose={close} />}
      {modal === 'text' && <LeaseTextDialog applicationId={application.id} onClose={close} />}
      {(modal === 'delete' || modal === 'void') && (
        <RemoveLeaseDialog application={application} only={modal === 'void'} onClose={close} />
      )}
    </Card>
  )
}

function LeaseTerms({ application }: { application: Application }) {
  const { leaseStartDate: start, leaseEndDate: end, rentalAmount, depositAmount, totalAmount } = application
  if (!start || !end || rentalAmount === null || depositAmount === null) return null
  return (
    <DefinitionList
      columns={1}
      items={[
        { label: 'Term', value: formatStay({ start, end }) },
        { label: 'Monthly rent', value: formatCents(dollarsToCents(rentalAmount)) },
        {
          label: 'Rent of the term',
          value: describeTermRent(termRent(start, end, dollarsToCents(rentalAmount))),
        },
        { label: 'Deposit', value: formatCents(dollarsToCents(depositAmount)) },
        { label: 'Total due', value: formatCents(dollarsToCents(totalAmount)) },
      ]}
    />
  )
}

const signedWords = {
  signature: 'Signed in the app by the tenant',
  user_upload: 'Scan uploaded by the tenant',
  admin_upload: 'Scan uploaded by the administrator',
}

function SignedFile({ application, timeZone }: { application: Application; timeZone: string }) {
  const { signedLeaseFile: file, signedBy } = application
  if (!file) return null
  return (
    <Notice tone="success" title={signedBy ? signedWords[signedBy] : 'Signed'}>
      <p className="text-[0.9375rem] wrap-anywhere">
        {file.originalName}, {Math.ceil(file.size / 1000)} KB
      </p>
      <p className="text-[0.9375rem]">{formatMoment(file.uploadedAt, timeZone)}</p>
    </Notice>
  )
}

function ViewSigned({ application: { id, signedLeaseFile } }: { application: Application }) {
  const failed = 'Failed to load lease document'
  const utils = api.useUtils()
  const view = useMutation({
    mutationFn: () => openSignedLease(id),
    onError: error => toastFailure(error, { failed, threw: failed }),
    // Opening it is noted in the trail.
    onSuccess: () => utils.leases.trail.invalidate(),
  })
  return (
    <Button
      size="sm"
      variant="secondary"
      busy={view.isPending}
      busyLabel="Opening..."
      onClick={() => (signedLeaseFile ? view.mutate() : toast.error(leaseMessages.noSignedLease))}
    >
      View Signed Lease
    </Button>
  )
}
