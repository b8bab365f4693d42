import { useMutation } from '@tanstack/react-query'
import { ArrowRight, Download, Eye } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { isBooked } from '../../../domain/bookings/application-status.ts'
import { noLeaseNeeded } from '../../../domain/bookings/checklist.ts'
import { type CalendarDate, formatMomentDate } from '../../../domain/common/dates.ts'
import { stayOf } from '../../../domain/common/stay.ts'
import { leaseMessages, leaseState, tenantRemovalError } from '../../../domain/leases/lease.ts'
import { api, type Outputs } from '../../api/api.ts'
import { failureOf } from '../../api/failures.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { paths } from '../../routing/paths.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { isPhone } from '../../ui/is-phone.ts'
import { toast } from '../../ui/toast.ts'
import { useTimeZone, useToday } from '../stays/today.ts'
import { LeaseFacts, LeaseStateBadge } from './lease-facts.tsx'
import { downloadLease, requireLogin, uploadSignedLease } from './lease-files.ts'
import { LeasePreviewDialog } from './lease-preview-dialog.tsx'
import { SignedFileBox } from './signed-file-box.tsx'
import { UploadBox } from './upload-box.tsx'

type Application = Outputs['applications']['get']['application']
type LeaseBlockProps = {
  application: Application
  /** Called when a scan was added or removed, to reload the application. */
  onChanged: () => unknown
}

/** The lease on the application's details: not started, ready to sign, or signed. */
export function LeaseBlock(props: LeaseBlockProps) {
  const { application } = props
  const state = leaseState(application)
  const today = useToday()
  return (
    <Card aria-label="Lease Agreement">
      <CardHeader
        title="Lease Agreement"
        subtitle={state === 'signed' && 'Lease Signed & Uploaded'}
        action={state !== 'signed' && <LeaseStateBadge state={state} />}
      />
      <CardBody className="grid gap-6">
        {state === 'not_started' && <p className="text-muted">{notStarted(application, today)}</p>}
        {state === 'signed' && <SignedLease {...props} />}
        {state !== 'not_started' && (state !== 'signed' || !isPhone()) && (
          <LeaseFacts lease={application} brief />
        )}
        {state !== 'not_started' && state !== 'signed' && <LeaseToSign {...props} />}
        {state !== 'available' && <LeasePageLink id={application.id} />}
      </CardBody>
    </Card>
  )
}

function notStarted(application: Application, today: CalendarDate): string {
  const { status, withoutLease } = application
  if (status === 'rejected') return 'This application was declined, so there is no lease.'
  if (status === 'cancelled') return 'This stay was cancelled, so there is no lease.'
  if (status === 'completed' && (withoutLease || stayOf(application).end <= today))
    return 'Your booking is complete without a lease on this site.'
  if (withoutLease) return noLeaseNeeded
  if (isBooked(status))
    return 'Your application is approved. We are preparing your lease; it will appear here.'
  return 'Your lease is generated once your application is approved.'
}

function LeaseToSign({ application, onChanged }: LeaseBlockProps) {
  const { id, status } = application
  const isTenant = useUser().role === 'tenant'
  const canSign = isTenant && isBooked(status)
  return (
    <>
      <LeaseActions application={application} />
      {isTenant && !canSign && (
        <p className="text-muted">
          {status === 'rejected' || status === 'cancelled'
            ? `This ${status === 'cancelled' ? 'stay was cancelled' : 'application was declined'}, so its lease can no longer be signed.`
            : 'You can sign the lease once your application is approved.'}
        </p>
      )}
      {/* A scan would take the invitations back. */}
      {canSign && !application.signing && <PaperUpload send={uploadSignedLease(id)} onUploaded={onChanged} />}
    </>
  )
}

type PaperUploadProps = Pick<
  ComponentProps<typeof UploadBox>,
  'disabledReason' | 'document' | 'onUploaded' | 'send'
>

/** Uploads what was signed on paper; folded, because most people sign online. */
export function PaperUpload(props: PaperUploadProps) {
  return (
    <Disclosure summary="Prefer paper?">
      <p className="mb-3 text-muted">
        Download the {props.document ?? 'lease'}, print and sign it, then upload a scan or a photo of it.
      </p>
      <UploadBox {...props} />
    </Disclosure>
  )
}

/** Shown only if the lease page shows this application's lease. */
function LeasePageLink({ id }: { id: string }) {
  const isTenant = useUser().role === 'tenant'
  const { data } = api.leases.status.useQuery(undefined, { enabled: isTenant })
  if (data?.applicationId !== id || !data.leaseGenerated) return null
  return (
    <Link href={paths.lease} className="inline-flex items-center gap-1.5 justify-self-start link">
      Open the lease page
      <ArrowRight aria-hidden className="size-4" />
    </Link>
  )
}

function SignedLease({ application, onChanged }: LeaseBlockProps) {
  const { id, signedLeaseFile: file } = application
  const isTenant = useUser().role === 'tenant'
  const status = api.leases.status.useQuery(undefined, { enabled: isTenant }).data
  // Of another lease than the lease page's, the server tells why it stays.
  const isKept = status?.applicationId === id && !status.canRemoveSignedLease
  const canRemove = isTenant && !isKept && !tenantRemovalError(application)
  const how = howSigned(application, useTimeZone())
  if (!file) return <p className="text-muted">{how}</p>
  return (
    <SignedFileBox applicationId={id} file={file} note={how} onRemoved={canRemove ? onChanged : undefined} />
  )
}

function howSigned({ leaseSignedAt, signedBy, signedLeaseFile }: Application, timeZone: string): string {
  const on = leaseSignedAt ? ` on ${formatMomentDate(leaseSignedAt, timeZone)}` : ''
  if (signedLeaseFile?.uploadedBy === 'admin')
    return `This is the physical lease, uploaded by the administrator${on}.`
  return signedBy === 'user_upload'
    ? `You signed it on paper and uploaded it${on}.`
    : `You signed it electronically${on}.`
}

/** Opens the lease's text, or downloads it. */
function LeaseActions({ application }: { application: Application }) {
  const queries = api.useUtils()
  const preview = useMutation({
    mutationFn: () => queries.client.leases.preview.query({ id: application.id }),
    onError: error =>
      toastFailure(error, { failed: 'Failed to load preview', noResponse: 'Error loading preview' }),
  })
  const download = useMutation({
    mutationFn: () => downloadLease(application),
    onSuccess: saved =>
      saved
        ? toast.success('Lease agreement downloaded successfully!')
        : toast.error('Empty PDF file received'),
    onError: error => {
      if (isNotFound(error)) toast.error(leaseMessages.notGenerated)
      else
        toastFailure(error, {
          failed: 'Failed to download lease',
          noResponse: 'Error downloading lease agreement',
        })
    },
  })
  const startDownload = () => requireLogin() && download.mutate()
  return (
    <div className="flex flex-wrap gap-3 max-sm:*:grow">
      <Button
        variant="secondary"
        busy={preview.isPending}
        busyLabel="Loading..."
        onClick={() => requireLogin() && preview.mutate()}
      >
        <Eye aria-hidden />
        Open
      </Button>
      <Button
        variant="secondary"
        busy={download.isPending}
        busyLabel="Downloading..."
        onClick={startDownload}
      >
        <Download aria-hidden />
        Download
      </Button>
      {preview.isSuccess && (
        <LeasePreviewDialog
          text={preview.data.leaseText}
          downloading={download.isPending}
          onDownload={startDownload}
          onClose={preview.reset}
        />
      )}
    </div>
  )
}

function isNotFound(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === 404
}
