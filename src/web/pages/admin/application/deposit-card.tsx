import { Plus, X } from 'lucide-react'
import { formatMomentDate, formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { depositMessages, depositStateLabels } from '../../../../domain/money/deposit-case.ts'
import { newId } from '../../../api/api.ts'
import { sendForm } from '../../../api/files.ts'
import {
  DepositSection,
  DownloadPdf,
  ItemRow,
  Statements,
  WentBack,
} from '../../../features/deposits/deposit-parts.tsx'
import {
  deadlineText,
  depositTones,
  type Item,
  newestStatement,
  type OwnerDeposit,
  ruleName,
} from '../../../features/deposits/deposit-view.ts'
import { useTimeZone, useToday } from '../../../features/stays/today.ts'
import { useChange } from '../../../forms/change.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FileLink } from '../../../ui/file-link.tsx'
import { MoreActions } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type Modal, needsLetter, type OpenModal } from './application-data.ts'
import { ModalButton, ModalItem } from './modal-button.tsx'

type DepositCardProps = { deposit: OwnerDeposit; open: OpenModal }
type EndedProps = {
  /** The application is declined or cancelled, so that nobody has stayed. */
  isEnded: boolean
}
type NextProps = {
  /** The dialog of the next step; the card does not repeat its button. */
  next: Modal['kind'] | null | undefined
  /** The next step says until when the tenant can object. */
  isObjectionSaid: boolean
}

/** The deposit of an application from its payment on, until it is back or kept. */
export function DepositCard({
  deposit,
  isEnded,
  isObjectionSaid,
  next,
  open,
}: DepositCardProps & EndedProps & NextProps) {
  const { deadline, disputedCents, hasLeft, heldCents, items, letters, shortCents, state, statements } =
    deposit
  const attention = attentionOf(deposit)
  // Nothing to do before departure.
  const isQuiet = state === 'held' && !hasLeft && !isEnded && items.length === 0
  const isClosed = state === 'closed' && shortCents === 0
  const more = (
    <>
      <DayAndRule deposit={deposit} isEnded={isEnded} open={open} />
      {(items.length > 0 || roomOf(deposit) > 0) && <Items deposit={deposit} open={open} />}
      {letters.length > 0 && <Letters deposit={deposit} open={open} />}
      <Statements {...deposit} isOwner />
      <WentBack {...deposit} isOwner />
      <Actions {...{ deposit, isObjectionSaid, next, open }} />
    </>
  )
  if (state === 'unpaid' && statements.length + items.length === 0) return null
  return (
    <Card aria-label="Security Deposit">
      <CardHeader
        title="Security Deposit"
        subtitle={deposit.rule.preset && !isClosed && depositMessages.presetHint}
        action={<Badge tone={depositTones[state]}>{depositStateLabels[state]}</Badge>}
      />
      <CardBody className="grid gap-5">
        {attention && (
          <Notice tone={attention.tone} title={attention.title}>
            {attention.detail}
          </Notice>
        )}
        {disputedCents > 0 && (
          <Notice tone="warning">Disputed: {formatCents(disputedCents)}. The time goes on.</Notice>
        )}
        {isQuiet ? (
          <>
            <p className="font-semibold text-navy">
              Held {formatCents(heldCents)}
              {deadline && ` · due back by ${formatShortDate(deadline.date)}`}
            </p>
            <Disclosure summary="Return, claim or change">
              <div className="grid gap-5">{more}</div>
            </Disclosure>
          </>
        ) : isClosed ? (
          <Disclosure summary={outcomeOf(deposit)}>
            <div className="grid gap-5">
              <DefinitionList items={sumsOf(deposit)} />
              {more}
            </div>
          </Disclosure>
        ) : (
          <>
            <NextDate deposit={deposit} />
            <DefinitionList items={sumsOf(deposit)} />
            {more}
          </>
        )}
      </CardBody>
    </Card>
  )
}

/** Critical messages and those without a date; the next date has its own line. The page has name and number above. */
function attentionOf({ applicationNumber, attention, deadline, tenantName }: OwnerDeposit) {
  if (!attention) return null
  const { detail, title, tone } = attention
  const isDate = deadline && detail.includes(formatShortDate(deadline.date))
  if (tone === 'warning' && isDate) return null
  const short = title.replace(`${tenantName}’s deposit: `, '')
  return {
    tone,
    title: short.charAt(0).toUpperCase() + short.slice(1),
    detail: detail.replace(`${applicationNumber}. `, ''),
  }
}

function NextDate({ deposit }: { deposit: OwnerDeposit }) {
  const { deadline } = deposit
  const attention = attentionOf(deposit)
  if (!deadline || attention?.title.includes(formatShortDate(deadline.date))) return null
  return (
    <p className={`font-semibold ${deadline.daysLeft < 0 ? 'text-red' : 'text-navy'}`}>
      {deadlineText(deadline, deposit.claimedCents)}
    </p>
  )
}

/** 'Returned $315.00 · Kept $185.00'. */
const outcomeOf = (deposit: OwnerDeposit) =>
  sumsOf(deposit)
    .filter(({ label, value }) => ['Returned', 'Kept', 'Moved'].includes(label) && value !== formatCents(0))
    .map(({ label, value }) => `${label} ${value}`)
    .join(' · ')

/** Of some only what is not zero. */
function sumsOf(deposit: OwnerDeposit) {
  const sums = [
    ['Received', deposit.receivedCents, true],
    ['Moved', deposit.movedCents],
    ['Held', deposit.heldCents, true],
    ['Disputed', deposit.disputedCents],
    ['On its way', deposit.onItsWayCents],
    ['Returned', deposit.returnedCents, true],
    ['Kept', deposit.keptCents, true],
    ['Short', deposit.shortCents],
  ] as const
  return sums.flatMap(([label, cents, always]) =>
    always || cents !== 0 ? [{ label, value: formatCents(cents) }] : [],
  )
}

function DayAndRule({ deposit, isEnded, open }: DepositCardProps & EndedProps) {
  const { hasLeft, rule, vacatedOn } = deposit
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line pt-4">
      <DefinitionList
        className="grow"
        items={[
          {
            label: isEnded ? 'Counts from' : hasLeft ? 'The tenant left on' : 'The tenant leaves on',
            value: formatShortDate(vacatedOn),
          },
          { label: 'Rule', value: ruleName(rule) },
        ]}
      />
      {!newestStatement(deposit) && (
        <ModalButton
          aria-label="Edit the day and the rule"
          open={open}
          modal={{ kind: 'deposit-case', deposit }}
        >
          Edit
        </ModalButton>
      )}
    </div>
  )
}

/** What can still be claimed. */
const roomOf = ({ claimedCents, disputedCents, heldCents, onItsWayCents }: OwnerDeposit) =>
  heldCents + disputedCents - onItsWayCents - claimedCents

function Items({ deposit, open }: DepositCardProps) {
  const { applicationId, claimedCents, items } = deposit
  return (
    <DepositSection
      title="Items"
      action={
        roomOf(deposit) > 0 && (
          <ModalButton open={open} modal={{ kind: 'deposit-item', applicationId }}>
            <Plus aria-hidden />
            Add item
          </ModalButton>
        )
      }
    >
      {items.length === 0 && <li className="py-2.5 text-muted">Nothing is claimed.</li>}
      {items.map(item =>
        item.keptAt ? (
          <ItemRow key={item.id} item={item} />
        ) : (
          <OpenItem key={item.id} item={item} deposit={deposit} open={open} />
        ),
      )}
      {items.length > 1 && claimedCents > 0 && (
        <li className="flex justify-between gap-4 py-2.5 font-semibold text-navy">
          <span>Claimed</span>
          <span className="tabular-nums">{formatCents(claimedCents)}</span>
        </li>
      )}
    </DepositSection>
  )
}

const maxPhotos = 10

/** An item that can still change. */
function OpenItem({ deposit, item, open }: DepositCardProps & { item: Item }) {
  const { applicationId } = deposit
  const { id, label, photos } = item
  const upload = useChange('The photo could not be saved', async (files: File[]) => {
    for (const photo of files) {
      const form = new FormData()
      form.set('requestId', newId())
      form.set('photo', photo)
      await sendForm(`/api/deposit/admin/item/${id}/photo`, form, () => {})
    }
    return files.length === 1 ? 'Photo saved' : `${files.length} photos saved`
  })
  return (
    <ItemRow
      item={item}
      action={
        <span className="-mr-2.5">
          <MoreActions label={`More actions: ${label}`}>
            <ModalItem open={open} modal={{ kind: 'deposit-item', applicationId, item }}>
              Change
            </ModalItem>
            <ModalItem danger open={open} modal={{ kind: 'deposit-remove', what: 'item', id, name: label }}>
              Remove
            </ModalItem>
          </MoreActions>
        </span>
      }
      photoAction={photo =>
        !photo.isNamed && (
          <ModalButton
            variant="ghost"
            className="-mr-2.5 w-10 px-0!"
            aria-label={`Remove the photo received ${photo.receivedAt}`}
            open={open}
            modal={{ kind: 'deposit-remove', what: 'photo', id: photo.id, name: 'this photo' }}
          >
            <X aria-hidden />
          </ModalButton>
        )
      }
      upload={
        photos.length < maxPhotos && (
          <FileLink
            label={upload.isPending ? 'Saving...' : 'Add a photo'}
            hint={`of ${label}: JPEG or PNG, up to 10 MB`}
            accept=".jpg,.jpeg,.png"
            multiple
            disabled={upload.isPending}
            onFiles={files => files.length > 0 && upload.mutate(files)}
          />
        )
      }
    />
  )
}

function Letters({ deposit: { letters }, open }: DepositCardProps) {
  const timeZone = useTimeZone()
  return (
    <DepositSection title="Letters">
      {letters.map(({ claimedCents, createdAt, id, number, sentStatementId, voidedAt }) => (
        <li key={id} className="flex items-start justify-between gap-4 py-2.5">
          <span className="min-w-0">
            {voidedAt ? <del className="text-muted">Letter {number}</del> : `Letter ${number}`}
            <span className="block text-sm text-muted">
              {formatCents(claimedCents)} · printed {formatMomentDate(createdAt, timeZone)}
              {sentStatementId !== null && ' · sent'}
              {voidedAt && ' · void'}
            </span>
          </span>
          <span className="flex shrink-0 gap-2">
            {sentStatementId === null && !voidedAt && (
              <ModalButton
                variant="ghost"
                aria-label={`Void letter ${number}`}
                open={open}
                modal={{ kind: 'deposit-remove', what: 'letter', id, name: `letter ${number}` }}
              >
                Void
              </ModalButton>
            )}
            <DownloadPdf
              isShort
              label={`Download letter ${number}`}
              path={`/api/deposit/admin/letter/${id}/pdf`}
              saveAs={`deposit-letter-${number}.pdf`}
            />
          </span>
        </li>
      ))}
    </DepositSection>
  )
}

/** What can be done now; a button is there once it can be pressed. */
function Actions({ deposit, isObjectionSaid, next, open }: DepositCardProps & NextProps) {
  const { claimedCents, disputedCents, freeCents, hasLeft, objectionUntil } = deposit
  const today = useToday()
  const newest = newestStatement(deposit)
  const isTold = newest?.claimedCents === claimedCents && deposit.state !== 'drafted'
  const canClaim = claimedCents > 0 && hasLeft && !isTold
  const isOver = newest && (newest.agreedAt || newest.objection || today > (objectionUntil ?? ''))
  const isUndisputed = disputedCents === 0
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {canClaim && needsLetter(deposit) && next !== 'deposit-letter' && (
        <ModalButton open={open} modal={{ kind: 'deposit-letter', deposit }}>
          Print the letter
        </ModalButton>
      )}
      {canClaim && next !== 'deposit-statement' && (
        <ModalButton open={open} modal={{ kind: 'deposit-statement', deposit }}>
          Send statement
        </ModalButton>
      )}
      {claimedCents > 0 && isTold && isOver && isUndisputed && next !== 'deposit-keep' && (
        <ModalButton open={open} modal={{ kind: 'deposit-keep', deposit }}>
          Keep {formatCents(claimedCents)}
        </ModalButton>
      )}
      {freeCents > 0 && isUndisputed && next !== 'deposit-return' && (
        <ModalButton open={open} modal={{ kind: 'deposit-return', deposit }}>
          Return {formatCents(freeCents)}
        </ModalButton>
      )}
      {claimedCents > 0 && isTold && !isOver && objectionUntil && !isObjectionSaid && (
        <p className="text-[0.9375rem] text-muted">{depositMessages.canObject(objectionUntil)}</p>
      )}
    </div>
  )
}
