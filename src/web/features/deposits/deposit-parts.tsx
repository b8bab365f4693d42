import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { itemCategoryLabels } from '../../../domain/money/deposit-case.ts'
import { useDownload } from '../../forms/download-button.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useTimeZone } from '../stays/today.ts'
import { type Item, type Leg, legStates, type Statement, statementText, wayText } from './deposit-view.ts'
import { ItemPhoto } from './item-photo.tsx'

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
        <ul className="grid gap-3 sm:grid-cols-2">
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

type StatementRowProps = { applicationId: string; statement: Statement; isOwner?: boolean }

export function StatementRow({ applicationId, isOwner = false, statement }: StatementRowProps) {
  const { agreedAt, claimedCents, id, number, objection } = statement
  const timeZone = useTimeZone()
  const whose = isOwner ? 'The tenant' : 'You'
  return (
    <li className="grid gap-1 py-2.5">
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
}

type DownloadPdfProps = {
  path: string
  saveAs: string
  label: string
  /** Shows 'PDF' alone. */
  isShort?: boolean
}

export function DownloadPdf({ isShort = false, label, path, saveAs }: DownloadPdfProps) {
  const { isPending, mutate } = useDownload({ path, saveAs, failedText: 'The PDF could not be loaded' })
  return (
    <Button
      size="sm"
      variant="secondary"
      className="shrink-0"
      aria-label={isShort ? label : undefined}
      busy={isPending}
      busyLabel="Loading..."
      onClick={() => mutate()}
    >
      <Download aria-hidden />
      {isShort ? 'PDF' : label}
    </Button>
  )
}

export function LegRow({ leg, isOwner = false }: { leg: Leg; isOwner?: boolean }) {
  const timeZone = useTimeZone()
  const { label, tone } = legStates[leg.state]
  return (
    <li className="flex items-start justify-between gap-4 py-2.5">
      <span className="min-w-0 wrap-anywhere">
        {wayText(leg)}
        <span className="block text-sm text-muted">
          {formatMomentDate(leg.at, timeZone)}
          {leg.cause === 'cancellation' && ' · after a cancellation'}
        </span>
        {isOwner && leg.error && <span className="block text-sm text-red">{leg.error}</span>}
      </span>
      <Badge tone={tone}>{label}</Badge>
    </li>
  )
}
