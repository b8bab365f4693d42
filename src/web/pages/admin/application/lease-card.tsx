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
import { toast } from '../../../ui/toasts.tsx'
import { type Application, type OpenModal, useCharges, useInvalidateApplication } from './application-data.ts'
import { ModalButton } from './modal-button.tsx'

type LeaseCardProps = { application: Application; open: OpenModal }

export function LeaseCard({ application, open }: LeaseCardProps) {
  const { leaseGenerated, leaseSigned } = application
  const invalidate = useInvalidateApplication()
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
        <LeaseActions application={application} open={open} />
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
    </Card>
  )
}

function LeaseActions({ application, open }: LeaseCardProps) {
  const { id, status, leaseGenerated, leaseSigned, signedLeaseFile } = application
  const view = useOpenSignedLease(id, 'Failed to load lease document')
  return (
    <div className="flex flex-wrap gap-2.5">
      {!leaseSigned && (
        <ModalButton
          variant={leaseGenerated ? 'secondary' : 'primary'}
          disabled={!isBooked(status)}
          open={open}
          modal={{ kind: 'generate-lease' }}
        >
          {leaseGenerated ? 'Regenerate' : 'Generate Lease'}
        </ModalButton>
      )}
      {leaseGenerated && (
        <ModalButton open={open} modal={{ kind: 'lease-text' }}>
          Lease Text
        </ModalButton>
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
        <ModalButton open={open} modal={{ kind: 'void-signature' }}>
          Void Signature
        </ModalButton>
      )}
      {(leaseGenerated || signedLeaseFile) && (
        <ModalButton className="text-red" open={open} modal={{ kind: 'delete-lease' }}>
          Delete Lease
        </ModalButton>
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
