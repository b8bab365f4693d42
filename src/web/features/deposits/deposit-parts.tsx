import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  cameraSentence,
  evidenceTexts,
  formatReceived,
  isTakenLongBefore,
} from '../../../domain/bookings/evidence.ts'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { itemCategoryLabels } from '../../../domain/money/deposit-case.ts'
import { failureOf } from '../../api/failures.ts'
import { fetchFile, openFile } from '../../api/files.ts'
import { DownloadButton } from '../../forms/download-button.tsx'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { nearViewport } from '../../ui/near-viewport.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTimeZone } from '../stays/today.ts'
import { type Item, legStates, statementText, type TenantDeposit, wayText } from './deposit-view.ts'

type SectionProps = { title: string; action?: ReactNode; children: ReactNode }

/** A titled list of the card. */
export function DepositSection({ action, children, title }: SectionProps) {
  return (
    <section aria-label={title}>
      <div className="mb-1.5 flex min-h-9 flex-wrap items-center justify-between gap-x-4">
        <h3 className="font-semibold text-navy">{title}</h3>
        {action}
      </div>
      <ul className="divide-y divide-line border-y border-line">{children}</ul>
    </section>
  )
}

type ItemRowProps = {
  item: Item
  /** Beside the amount. */
  action?: ReactNode
  /** Below the photos. */
  upload?: ReactNode
  photoAction?: (photo: Item['photos'][number]) => ReactNode
}

export function ItemRow({ action, item, photoAction, upload }: ItemRowProps) {
  return (
    <li className="grid gap-2 py-2.5">
      <div className="flex items-start justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">
          {item.label}
          <span className="block text-sm text-muted">
            {itemCategoryLabels[item.category]}
            {item.keptAt && ' · kept'}
          </span>
        </span>
        <span className="flex shrink-0 items-center gap-1">
          <span className="text-navy tabular-nums">{formatCents(item.amountCents)}</span>
          {action}
        </span>
      </div>
      {item.photos.length > 0 && (
        <ul className="grid gap-3">
          {item.photos.map((photo, index) => (
            <ItemPhoto
              key={photo.id}
              photo={photo}
              name={`Photo ${index + 1} of ${item.label}`}
              action={photoAction?.(photo)}
            />
          ))}
        </ul>
      )}
      {upload}
    </li>
  )
}

type ListsProps = Pick<TenantDeposit, 'applicationId' | 'statements' | 'legs'> & { isOwner?: boolean }

/** The statements of a deposit, with what the tenant said of each. */
export function Statements({ applicationId, isOwner = false, statements }: Omit<ListsProps, 'legs'>) {
  const timeZone = useTimeZone()
  const whose = isOwner ? 'The tenant' : 'You'
  if (statements.length === 0) return null
  return (
    <DepositSection title={isOwner || statements.length > 1 ? 'Statements' : 'Statement'}>
      {statements.map(statement => {
        const { agreedAt, claimedCents, counts, id, number, objection } = statement
        return (
          <li key={id} className="grid gap-1 py-2.5">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
              <span className="min-w-0 wrap-anywhere">
                {statementText(statement)}
                <span className="block text-sm text-muted">{formatCents(claimedCents)} claimed</span>
              </span>
              <DownloadPdf
                path={`/api/deposit/${applicationId}/statement/${id}`}
                saveAs={`deposit-statement-${number}.pdf`}
                label={isOwner ? `Download statement ${number}` : 'Download statement'}
                isShort={isOwner}
              />
            </div>
            {!counts && <p className="text-[0.9375rem]">It counts no more.</p>}
            {agreedAt && (
              <p className="text-[0.9375rem]">
                {whose} agreed on {formatMomentDate(agreedAt, timeZone)}.
              </p>
            )}
            {objection && (
              <div className="text-[0.9375rem]">
                {whose} objected on {formatMomentDate(objection.at, timeZone)}:
                <blockquote className="mt-1 border-l-2 border-line-strong pl-3 wrap-anywhere whitespace-pre-line">
                  {objection.text}
                </blockquote>
              </div>
            )}
          </li>
        )
      })}
    </DepositSection>
  )
}

type DownloadPdfProps = {
  path: string
  saveAs: string
  label: string
  /** Shows 'PDF' alone. */
  isShort?: boolean
}

export const DownloadPdf = ({ isShort = false, label, ...file }: DownloadPdfProps) => (
  <DownloadButton
    {...file}
    size="sm"
    className="shrink-0"
    failedText="The PDF could not be loaded"
    busyLabel="Loading..."
    aria-label={isShort ? label : undefined}
  >
    {isShort ? 'PDF' : label}
  </DownloadButton>
)

/** What of a deposit went back, and what is on its way. */
export function WentBack({ isOwner = false, legs }: Pick<ListsProps, 'isOwner' | 'legs'>) {
  const timeZone = useTimeZone()
  if (legs.length === 0) return null
  return (
    <DepositSection title="What went back">
      {legs.map(leg => (
        <li key={leg.id} className="flex items-start justify-between gap-4 py-2.5">
          <span className="min-w-0 wrap-anywhere">
            {wayText(leg)}
            <span className="block text-sm text-muted">
              {formatMomentDate(leg.at, timeZone)}
              {leg.cause === 'cancellation' && ' · after a cancellation'}
            </span>
            {isOwner && leg.error && <span className="block text-sm text-red">{leg.error}</span>}
          </span>
          <Badge tone={legStates[leg.state].tone}>{legStates[leg.state].label}</Badge>
        </li>
      ))}
    </DepositSection>
  )
}

type ItemPhotoProps = { photo: Item['photos'][number]; name: string; action?: ReactNode }

/** A photo with the time it was received and what its camera says; a press opens it as it came. */
function ItemPhoto({ action, name, photo }: ItemPhotoProps) {
  const timeZone = useTimeZone()
  const { clockDoubtful, id, receivedAt, takenAt } = photo
  const camera = cameraSentence(takenAt, timeZone)
  const weight = isTakenLongBefore(photo, timeZone) && 'font-semibold'
  const open = useMutation({
    mutationFn: () => openFile(() => fetchFile(`/api/deposit/photo/${id}`)),
    onError: error => toastFailure(error, 'The photo could not be opened'),
  })
  return (
    <li className="flex items-start gap-2 sm:gap-3">
      <button
        type="button"
        aria-label={`Open ${name}`}
        className="size-20 shrink-0 overflow-hidden rounded-control border border-line bg-shell"
        onClick={() => open.mutate()}
      >
        <Preview id={id} />
      </button>
      <span className="min-w-0 grow text-[0.8125rem] sm:text-sm">
        <span className={classNames('block', weight)}>
          Received {formatReceived(receivedAt, timeZone, 'short')}
        </span>
        {camera && <span className={classNames('block text-muted', weight)}>{camera}</span>}
        {clockDoubtful && <span className="block text-muted">{evidenceTexts.clockDoubtful}</span>}
      </span>
      {action}
    </li>
  )
}

function Preview({ id }: { id: string }) {
  const path = `/api/deposit/photo/${id}?preview=1`
  const place = useRef<HTMLSpanElement>(null)
  const { data, error } = useQuery({
    queryKey: [path],
    queryFn: async () => {
      if (place.current) await nearViewport(place.current)
      return fetchFile(path)
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const url = URL.createObjectURL(data)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [data])
  if (error) {
    const failure = failureOf(error)
    const isDamaged = failure.kind === 'refused' && failure.status === 409
    return (
      <span className="block px-1 text-xs text-muted">
        {isDamaged ? evidenceTexts.damaged : 'Not loaded'}
      </span>
    )
  }
  // The name is the button's.
  return address ? (
    <img alt="" src={address} className="size-full object-cover" />
  ) : (
    <span ref={place} className="block size-full">
      <Skeleton className="size-full" />
    </span>
  )
}
