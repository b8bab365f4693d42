import { useState } from 'react'
import { isBooked } from '../../../../domain/application-status.ts'
import { type ChargeKind, hasOtherCharges, sumOf } from '../../../../domain/charge.ts'
import { formatMoment } from '../../../../domain/dates.ts'
import { leaseMessages, leaseState } from '../../../../domain/lease.ts'
import { describeTermRent, termRent } from '../../../../domain/lease-terms.ts'
import { dollarsToCents, formatCents } from '../../../../domain/money.ts'
import { formatStay } from '../../../../domain/stay.ts'
import { uploadLeaseAsAdmin } from '../../../features/leases/lease-files.ts'
import { LeaseStateBadge } from '../../../features/leases/lease-state-badge.tsx'
import { UploadBox } from '../../../features/leases/upload-box.tsx'
import { useOpenSignedLease } from '../../../features/leases/use-open-signed-lease.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useCharges, useInvalidateApplication } from './application-data.ts'
import { GenerateLeaseDialog } from './generate-lease-dialog.tsx'
import { LeaseTextDialog } from './lease-text-dialog.tsx'
import { RemoveLeaseDialog, VoidSignatureDialog } from './remove-lease-dialog.tsx'

type LeaseModal = 'generate' | 'text' | 'delete' | 'void'

export function LeaseCard({ application }: { application: Application }) {
  const [modal, setModal] = useState<LeaseModal>()
  const { leaseGenerated, leaseSigned } = application
  const invalidate = useInvalidateApplication()
  const props = { application, onClose: () => setModal(undefined) }
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
        <SignedFile application={application} />
        <LeaseActions application={application} open={setModal} />
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
      {modal === 'generate' && <GenerateLeaseDialog {...props} />}
      {modal === 'text' && <LeaseTextDialog {...props} />}
      {modal === 'delete' && <RemoveLeaseDialog {...props} />}
      {modal === 'void' && <VoidSignatureDialog {...props} />}
    </Card>
  )
}

type LeaseActionsProps = { application: Application; open: (modal: LeaseModal) => void }

function LeaseActions({ application, open }: LeaseActionsProps) {
  const { id, status, leaseGenerated, leaseSigned, signedLeaseFile } = application
  const view = useOpenSignedLease(id, 'Failed to load lease document')
  return (
    <div className="flex flex-wrap gap-2.5">
      {!leaseSigned && (
        <Button
          size="sm"
          variant={leaseGenerated ? 'secondary' : 'primary'}
          disabled={!isBooked(status)}
          onClick={() => open('generate')}
        >
          {leaseGenerated ? 'Regenerate' : 'Generate Lease'}
        </Button>
      )}
      {leaseGenerated && (
        <Button size="sm" variant="secondary" onClick={() => open('text')}>
          Lease Text
        </Button>
      )}
      <Button
        size="sm"
        variant="secondary"
        busy={view.isPending}
        busyLabel="Opening..."
        onClick={() => (signedLeaseFile ? view.mutate() : toast.error(leaseMessages.noSignedLease))}
      >
        View Signed Lease
      </Button>
      {signedLeaseFile && (
        <Button size="sm" variant="secondary" onClick={() => open('void')}>
          Void Signature
        </Button>
      )}
      {(leaseGenerated || signedLeaseFile) && (
        <Button size="sm" variant="secondary" className="text-red" onClick={() => open('delete')}>
          Delete Lease
        </Button>
      )}
    </div>
  )
}

function LeaseTerms({ application }: { application: Application }) {
  const { leaseStartDate: start, leaseEndDate: end, rentalAmount, depositAmount } = application
  const ofLease = useCharges(application).data?.charges.filter(({ source }) => source === 'lease')
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
        ...(ofLease && hasOtherCharges(ofLease)
          ? [{ label: 'Fees, discounts and taxes', value: formatCents(sumOf(ofLease.filter(isOther))) }]
          : []),
        { label: 'Total due', value: ofLease && formatCents(sumOf(ofLease)) },
      ]}
    />
  )
}

const isOther = ({ kind }: { kind: ChargeKind }) => kind !== 'rent' && kind !== 'deposit'

const signedByTexts = {
  signature: 'Signed in the app by the tenant',
  user_upload: 'Scan uploaded by the tenant',
  admin_upload: 'Scan uploaded by the administrator',
}

function SignedFile({ application }: { application: Application }) {
  const timeZone = useTimeZone()
  const { signedLeaseFile: file, signedBy } = application
  if (!file) return null
  return (
    <Notice tone="success" title={signedBy ? signedByTexts[signedBy] : 'Signed'}>
      <p className="text-[0.9375rem] wrap-anywhere">
        {file.originalName}, {Math.ceil(file.size / 1000)} KB
      </p>
      <p className="text-[0.9375rem]">{formatMoment(file.uploadedAt, timeZone)}</p>
    </Notice>
  )
}
