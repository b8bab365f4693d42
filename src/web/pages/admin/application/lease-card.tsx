import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isBooked, isEnded } from '../../../../domain/bookings/application-status.ts'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../../domain/common/money.ts'
import { formatShortStay, stayOf } from '../../../../domain/common/stay.ts'
import { leaseMessages, leaseState } from '../../../../domain/leases/lease.ts'
import { type ChargeKind, hasOtherCharges, sumOf } from '../../../../domain/money/charge.ts'
import { isRentForStay, rentLabel, termRent, termRentParts } from '../../../../domain/money/lease-terms.ts'
import { LeaseStateBadge } from '../../../features/leases/lease-facts.tsx'
import { uploadLeaseAsAdmin, useOpenSignedLease } from '../../../features/leases/lease-files.ts'
import { UploadBox } from '../../../features/leases/upload-box.tsx'
import type { ChargeView } from '../../../features/payments/charge-view.ts'
import { useTimeZone, useToday } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { MenuSeparator, MoreActions } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import {
  type Application,
  canChangePlan,
  type OpenModal,
  useAddenda,
  useCharges,
  usePlan,
  usePlanSettings,
} from './application-data.ts'
import { ModalButton, ModalItem } from './modal-button.tsx'

/** Loaded for a lease with addenda, or if nobody knows. */
const AddendaSection = lazy(() => import('./addenda-section.tsx').then(m => ({ default: m.AddendaSection })))
/** Loaded only while invitations are out. */
const SigningPanel = lazy(() => import('./signing-panel.tsx').then(m => ({ default: m.SigningPanel })))

type LeaseCardProps = { application: Application; open: OpenModal }

export function LeaseCard({ application, open }: LeaseCardProps) {
  const { leaseGenerated, leaseSigned } = application
  const wasNeverSigned = useIsOver(application) && leaseGenerated && !leaseSigned
  const [uploading, setUploading] = useState(false)
  const uploadButton = useRef<HTMLButtonElement>(null)
  const canUpload = leaseGenerated && !leaseSigned && !isEnded(application.status)
  const query = useAddenda(application)
  const addenda = query.data?.addenda ?? []
  const canAdd =
    leaseSigned &&
    query.data &&
    isBooked(application.status) &&
    !addenda.some(({ state }) => state === 'open')
  const closeUpload = () => {
    flushSync(() => setUploading(false))
    uploadButton.current?.focus()
  }
  return (
    <Card aria-label="Lease Information">
      <CardHeader
        title="Lease Information"
        className="max-sm:flex-nowrap max-sm:gap-x-2 max-sm:[&>div:last-child]:shrink-0"
        action={
          <>
            {wasNeverSigned ? <Badge>Not signed</Badge> : <LeaseStateBadge state={leaseState(application)} />}
            <OtherActions application={application} open={open} />
          </>
        }
      />
      <CardBody className="grid gap-4">
        <LeaseTerms application={application} />
        <SignedFile application={application} />
        {application.signing && (
          <Suspense>
            <SigningPanel application={application} count={application.signing} />
          </Suspense>
        )}
        <LeaseActions application={application} open={open}>
          {canAdd && (
            <ModalButton open={open} modal={{ kind: 'new-addendum' }}>
              New Addendum
            </ModalButton>
          )}
          {canUpload && !uploading && (
            <Button ref={uploadButton} size="sm" variant="secondary" onClick={() => setUploading(true)}>
              Upload Signed Lease
            </Button>
          )}
        </LeaseActions>
        {(query.data ? addenda.length > 0 : leaseSigned) && (
          <Suspense>
            <AddendaSection application={application} />
          </Suspense>
        )}
        {canUpload && uploading && <UploadLease application={application} onClose={closeUpload} />}
      </CardBody>
    </Card>
  )
}

/** After the stay nothing is signed, planned or written anew. */
const useIsOver = (application: Application) => useToday() >= stayOf(application).end

const useIsToSign = (application: Application) => {
  const isOver = useIsOver(application)
  return isBooked(application.status) && !application.leaseSigned && !isOver
}

/** The actions for the lease in its current state. */
function LeaseActions({ application, open, children }: LeaseCardProps & { children: ReactNode }) {
  const { id, leaseGenerated, leaseSigned, nextStep, signedLeaseFile } = application
  const view = useOpenSignedLease(id, 'Failed to load lease document')
  const isToSign = useIsToSign(application)
  const canGenerate = isToSign && !leaseGenerated && nextStep?.kind !== 'generate_lease'
  if (!canGenerate && !leaseGenerated && !signedLeaseFile) return null
  return (
    <div className="flex flex-wrap gap-2.5">
      {signedLeaseFile && (
        <Button
          size="sm"
          variant="secondary"
          busy={view.isPending}
          busyLabel="Opening..."
          onClick={() => view.mutate()}
        >
          View signed lease
        </Button>
      )}
      {leaseGenerated && !leaseSigned && (
        <ModalButton open={open} modal={{ kind: 'lease-text' }}>
          Lease text
        </ModalButton>
      )}
      {canGenerate && (
        <ModalButton open={open} modal={{ kind: 'generate-lease' }}>
          Generate lease
        </ModalButton>
      )}
      {children}
    </div>
  )
}

/** Rare actions, and those that end the lease or its signature (LOOK-69). */
function OtherActions({ application, open }: LeaseCardProps) {
  const { leaseGenerated, leaseSigned, signedLeaseFile } = application
  const isToSign = useIsToSign(application)
  if (!leaseGenerated && !signedLeaseFile) return null
  return (
    <MoreActions className="-mx-2">
      {leaseGenerated && leaseSigned && (
        <>
          <ModalItem open={open} modal={{ kind: 'lease-text' }}>
            Lease text
          </ModalItem>
          <MenuSeparator />
        </>
      )}
      {leaseGenerated && isToSign && (
        <>
          <ModalItem open={open} modal={{ kind: 'generate-lease' }}>
            Regenerate
          </ModalItem>
          {!application.signing && (
            <ModalItem open={open} modal={{ kind: 'invite-signers' }}>
              Invite Signers
            </ModalItem>
          )}
          <AddPlanItem application={application} open={open} />
          <MenuSeparator />
        </>
      )}
      {signedLeaseFile && (
        <ModalItem danger open={open} modal={{ kind: 'void-signature' }}>
          Void signature
        </ModalItem>
      )}
      {application.signing && (
        <ModalItem danger open={open} modal={{ kind: 'take-back' }}>
          Take invitations back
        </ModalItem>
      )}
      <ModalItem danger open={open} modal={{ kind: 'delete-lease' }}>
        Delete lease
      </ModalItem>
    </MoreActions>
  )
}

/** Shown only if a payment plan is set up and this lease has none; an existing plan has a separate card. */
function AddPlanItem({ application, open }: LeaseCardProps) {
  const isSetUp = (usePlanSettings().data?.version ?? 0) > 0
  const hasNone = usePlan(application).data?.plan === null
  if (!isSetUp || !hasNone || !canChangePlan(application)) return null
  return (
    <ModalItem open={open} modal={{ kind: 'change-plan' }}>
      Add payment plan
    </ModalItem>
  )
}

function LeaseTerms({ application }: { application: Application }) {
  const { leaseStartDate: start, leaseEndDate: end, rentalAmount, depositAmount } = application
  const ofLease = useCharges(application).data?.charges.filter(isAgreed)
  if (!application.leaseGenerated)
    return (
      <p className="text-muted">
        {isBooked(application.status)
          ? 'The lease is not generated yet.'
          : 'The lease can be generated once the application is approved.'}
      </p>
    )
  if (!start || !end || rentalAmount === null || depositAmount === null) return null
  const rent = termRent(start, end, dollarsToCents(rentalAmount))
  return (
    <DefinitionList
      columns={1}
      rows
      items={[
        { label: 'Term', value: formatShortStay({ start, end }) },
        { label: rentLabel(start, end), value: formatCents(dollarsToCents(rentalAmount)) },
        ...(isRentForStay(start, end)
          ? []
          : [
              {
                label: 'Rent for the term',
                value: (
                  <>
                    {formatCents(rent.totalCents)}
                    <span className="block text-sm font-normal text-muted">{termRentParts(rent)}</span>
                  </>
                ),
              },
            ]),
        { label: 'Deposit', value: formatCents(dollarsToCents(depositAmount)) },
        ...(ofLease && hasOtherCharges(ofLease)
          ? [{ label: 'Fees, discounts and taxes', value: formatCents(sumOf(ofLease.filter(isOther))) }]
          : []),
        { label: 'Total in the lease', value: ofLease && formatCents(sumOf(ofLease)) },
      ]}
    />
  )
}

const isAgreed = ({ source, ...charge }: ChargeView) =>
  source === 'lease' || (source === 'addendum' && !('voidedAt' in charge && charge.voidedAt))

const isOther = ({ kind }: { kind: ChargeKind }) => kind !== 'rent' && kind !== 'deposit'

const signedByTexts = {
  signature: 'Signed in the app by the tenant',
  user_upload: 'Scan uploaded by the tenant',
  admin_upload: 'Scan uploaded by the administrator',
}

function SignedFile({ application }: { application: Application }) {
  const timeZone = useTimeZone()
  const { signedLeaseFile: file, signedBy } = application
  if (application.signing) return null
  if (!file) return application.leaseGenerated && <p className="text-muted">{leaseMessages.noSignedLease}.</p>
  return (
    <Notice tone="success" title={signedBy ? signedByTexts[signedBy] : 'Signed'}>
      <p className="text-[0.9375rem] wrap-anywhere">
        {file.originalName}, {Math.ceil(file.size / 1000)} KB
      </p>
      <p className="text-[0.9375rem]">{formatMoment(file.uploadedAt, timeZone)}</p>
    </Notice>
  )
}

type UploadLeaseProps = { application: Application; onClose: () => void }

/** Uploads a scan of a lease that was signed on paper. */
function UploadLease({ application, onClose }: UploadLeaseProps) {
  const readAgain = useReadAgain()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box} className="border-t border-line pt-4">
      <UploadBox
        label="Lease signed on paper"
        send={uploadLeaseAsAdmin(application.id)}
        onUploaded={async () => {
          await readAgain()
          onClose()
        }}
        onCancel={onClose}
      />
    </div>
  )
}
