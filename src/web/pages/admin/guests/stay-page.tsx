import { useRef, useState } from 'react'
import { z } from 'zod'
import { type CalendarDate, dateIn, formatMoment, formatShortDate } from '../../../../domain/common/dates.ts'
import { requiredLine } from '../../../../domain/common/inputs.ts'
import { noBreak } from '../../../../domain/common/no-break.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { LinkList } from '../../../features/arrival/guest-link-list.tsx'
import { lockedText } from '../../../features/arrival/guest-links.tsx'
import { StayView } from '../../../features/arrival/stay-view.tsx'
import { useDay, useTimeZone } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Row } from '../../../ui/row.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ChangeCode, ShowCode } from './codes.tsx'

type OwnerStay = Outputs['stays']['adminGet']

/** The arrival of one guest: where the gate stands, and the codes. */
export function AdminStayPage({ id }: { id: string }) {
  const query = api.stays.adminGet.useQuery({ applicationId: id })
  const tasks = api.stays.codes.useQuery().data?.tasks ?? []
  const again = tasks.flatMap(task => (task.again ? task.codeId : []))
  return (
    <Page
      width="narrow"
      title={query.data ? query.data.guestName : '\u00a0'}
      subtitle={query.data ? `Arrival · ${query.data.stay.applicationNumber}` : 'Arrival'}
      back={<BackLink href={paths.adminApplication(id)}>Back to Application</BackLink>}
    >
      <QueryView query={query} loading="Loading arrival..." error="Failed to load arrival">
        {data => (
          <div className="grid gap-6">
            <GateCard {...data} />
            <CodesCard id={id} again={again} {...data} />
            {data.stay.guests.length > 0 && <LinksCard {...data} />}
            <PreviewCard {...data} />
          </div>
        )}
      </QueryView>
    </Page>
  )
}

const states = {
  scheduled: 'Opens by itself',
  open: 'Open',
  closed: 'Closed',
}
const holds = {
  open: { label: 'Open Now', title: 'Open this stay now', text: '' },
  longer: { label: 'Open longer', title: 'Keep this stay open for longer', text: '' },
  another: { label: 'Choose another day', title: 'Until when is this stay open?', text: '' },
  closed: {
    label: 'Close',
    title: 'Close this stay',
    text: 'At once the guest sees no more codes, and links to the stay end. A code already seen still opens its lock. ',
  },
}
const heldBy = { open: 'Opened', closed: 'Closed' }
type Hold = keyof typeof holds

function GateCard(ownerStay: OwnerStay) {
  const { hold, later, next, stay } = ownerStay
  const day = useDay()
  const { timeZone, today } = day
  const stateText = (of: typeof gate) => (of.state === 'locked' ? lockedText(of, day) : states[of.state])
  const change = api.stays.hold.useMutation()
  const [isEnding, setEnding] = useState(false)
  const [asking, setAsking] = useState<Hold>()
  const { applicationId, gate } = stay
  const willOpen =
    gate.state === 'scheduled' ||
    (gate.state === 'locked' && dateIn(new Date(gate.opensAt), timeZone) > today)
  const missing = gate.missing.map(({ text }) => text).join('; ')
  const isOverlap = gate.state === 'open' && next !== null && next.at < gate.closesAt
  const arrival = next && noBreak(`${formatMoment(next.at, timeZone)}, ${next.guestName}`)
  const mayOpen = later !== null && (gate.state !== 'open' || stay.startDate <= today)
  const changes: Hold[] = [
    ...(mayOpen
      ? [gate.state !== 'open' ? ('open' as const) : hold?.until ? ('another' as const) : ('longer' as const)]
      : []),
    ...(gate.state === 'closed' ? [] : (['closed'] as const)),
  ]
  return (
    <Card aria-label="The gate">
      <CardHeader
        title={stateText(gate)}
        subtitle={hold && `${heldBy[hold.hold]} by you, ${formatMoment(hold.at, timeZone)}: ${hold.reason}`}
        action={
          <>
            {changes.map(to => (
              <Button key={to} variant="secondary" size="sm" onClick={() => setAsking(to)}>
                {holds[to].label}
              </Button>
            ))}
            {hold && (
              <Button variant="secondary" size="sm" onClick={() => setEnding(true)}>
                Back to automatic
              </Button>
            )}
          </>
        }
      />
      <CardBody>
        <DefinitionList
          items={[
            ...(willOpen ? [{ label: 'Opens', value: formatMoment(gate.opensAt, timeZone) }] : []),
            { label: 'Check-in from', value: formatMoment(stay.checkInAt, timeZone) },
            hold?.until
              ? {
                  label: 'May stay until',
                  value: (
                    <>
                      {formatMoment(hold.until, timeZone)}{' '}
                      <span className="inline-block">
                        {noBreak(`(booked until ${formatShortDate(stay.endDate)})`)}
                      </span>
                    </>
                  ),
                }
              : { label: 'Check-out by', value: formatMoment(stay.checkOutAt, timeZone) },
            ...(next
              ? [
                  {
                    label: 'Next arrival',
                    value: isOverlap ? (
                      <span className="text-red">
                        {arrival}: before {stay.firstName} has to leave
                      </span>
                    ) : (
                      arrival
                    ),
                  },
                ]
              : []),
            ...(missing ? [{ label: 'Missing', value: missing }] : []),
          ]}
        />
      </CardBody>
      {isEnding && hold && (
        <ConfirmAction
          title="Back to automatic?"
          body={automaticText(ownerStay, hold, missing, timeZone)}
          confirmLabel="Back to automatic"
          action={async () => {
            const { stay } = await change.mutateAsync({ applicationId, hold: null })
            return `Automatic again: ${stateText(stay.gate)}`
          }}
          failedText={holdFailed}
          onClose={() => setEnding(false)}
        />
      )}
      {asking && <HoldDialog {...ownerStay} to={asking} onClose={() => setAsking(undefined)} />}
    </Card>
  )
}

/** What going back to automatic does to this stay. */
function automaticText(
  { stay: { endDate, gate } }: OwnerStay,
  { automatic, until }: NonNullable<OwnerStay['hold']>,
  missing: string,
  timeZone: string,
): string {
  const checkOut =
    until && automatic !== 'closed' ? `The last day is ${formatShortDate(endDate)} again. ` : ''
  const texts = {
    locked: `Missing: ${missing}. Until it is there, the guest sees no codes.`,
    scheduled: `The stay opens by itself, ${formatMoment(gate.opensAt, timeZone)}.`,
    open: gate.state === 'open' ? 'The guest still sees the codes.' : 'The guest sees the codes at once.',
    closed: 'The stay is closed then: the guest sees no codes.',
  }
  return checkOut + texts[automatic]
}

const holdFailed = 'Failed to change the stay'
const reason = requiredLine(500, 'Please enter a reason')

const dayText = (date: CalendarDate) => formatShortDate(date).replace(/, \d+$/, '')

type HoldDialogProps = OwnerStay & { to: Hold; onClose: () => void }

function HoldDialog({ hold, later, next, onClose, stay: { applicationId, endDate }, to }: HoldDialogProps) {
  const timeZone = useTimeZone()
  const isChange = to === 'another' && hold?.until
  const isDayNeeded = to === 'longer' || to === 'another' || (to === 'open' && later?.isNeeded === true)
  const input = useRef<HTMLInputElement>(null)
  const change = api.stays.hold.useMutation()
  // A half-typed day has no value, like an empty field.
  const isDay = (text: string) => text !== '' || !(isDayNeeded || input.current?.validity.badInput)
  const until = z.string().refine(isDay, 'Please choose a day')
  const former = isChange ? { reason: hold.reason, until: dateIn(new Date(isChange), timeZone) } : undefined
  const form = useZodForm(z.object({ reason, until }), former ?? { reason: '', until: '' })
  const field = fieldPropsOf(form)
  const { ref, ...untilProps } = field('until')
  const submission = useDialogSubmit(form, holdFailed, onClose, async ({ reason, until }) => {
    const of = { applicationId, hold: to === 'closed' ? to : ('open' as const), reason }
    const { hold } = await change.mutateAsync({ ...of, ...(until && { until }) })
    if (to === 'closed') return 'Closed'
    return hold?.until ? `Open until ${formatMoment(hold.until, timeZone)}` : 'Opened for this guest'
  })
  const reasonField = <TextField label="Reason" autoComplete="off" required {...field('reason')} />
  const arrival = next && noBreak(`${next.guestName} arrives ${formatMoment(next.at, timeZone)}.`)
  return (
    <FormDialog
      {...submission}
      title={holds[to].title}
      description={`${holds[to].text}Your reason stays in the history for you alone, without codes.`}
      submitLabel={isChange ? 'Save' : holds[to].label}
    >
      {!isDayNeeded && reasonField}
      {to !== 'closed' && later && (
        <TextField
          label="Open until"
          hint={`${isDayNeeded ? '' : `Empty: until ${dayText(endDate)}. Later: `}${dayText(later.first)} to ${dayText(later.last)}. ${arrival ?? ''}`}
          type="date"
          required={isDayNeeded}
          min={later.first}
          max={later.last}
          {...untilProps}
          ref={element => {
            ref(element)
            input.current = element
          }}
        />
      )}
      {isDayNeeded && reasonField}
    </FormDialog>
  )
}

const seers = { owner: 'You', tenant: 'The guest', guest: 'By the link of' }

type CodesCardProps = OwnerStay & {
  id: string
  /** The ids of codes that must be set again. */
  again: readonly string[]
}

function CodesCard({ again, id, locks, shown }: CodesCardProps) {
  const timeZone = useTimeZone()
  return (
    <Card aria-label="Codes">
      <CardHeader title="Codes" />
      <CardBody className="grid gap-4">
        {locks.length === 0 && (
          <p className="text-muted">No locks yet. Add them under Arrival, Getting in.</p>
        )}
        {locks.map(lock => (
          <Row
            key={lock.lockId}
            title={lock.name}
            text={
              lock.codeId
                ? [
                    again.includes(lock.codeId)
                      ? 'To be set again'
                      : lock.setAt
                        ? 'Set'
                        : 'To be set at the lock',
                    lock.shown && 'seen',
                  ]
                    .filter(Boolean)
                    .join(', ')
                : 'No code yet'
            }
          >
            {lock.codeId && <ShowCode key={lock.codeId} codeId={lock.codeId} />}
            {lock.kind === 'per_stay' && <ChangeCode lock={lock} applicationId={id} />}
          </Row>
        ))}
        {shown.length > 0 && (
          <Disclosure summary={`Seen ${plural(shown.length, 'time')}`}>
            <ul className="grid gap-1 text-muted">
              {shown.map(({ at, id, lockName, name, who }) => (
                <li key={id}>
                  {formatMoment(at, timeZone)}: {seers[who]} {name}, {lockName}
                </li>
              ))}
            </ul>
          </Disclosure>
        )}
      </CardBody>
    </Card>
  )
}

function LinksCard({ stay }: OwnerStay) {
  return (
    <Card aria-label="Links for the group">
      <CardHeader
        title="Links for the group"
        subtitle={`Made by ${stay.firstName}. Whoever has one opens the stay page without a login.`}
      />
      <CardBody className="grid gap-4">
        <LinkList applicationId={stay.applicationId} guests={stay.guests} />
      </CardBody>
    </Card>
  )
}

const moments = {
  now: 'Now',
  open: 'When it opens',
  day: 'On the day',
  after: 'After departure',
}
type Moment = keyof typeof moments

/** The page as this guest sees it, with dots for codes (STAY-06). */
function PreviewCard({ stay: { applicationId, firstName } }: OwnerStay) {
  const preview = api.stays.preview.useMutation({
    onError: error => toastFailure(error, 'Failed to load the page'),
  })
  return (
    <Card aria-label="Preview">
      <CardHeader title={`See it as ${firstName}`} />
      <CardBody className="grid gap-4">
        <div className="flex flex-wrap gap-2">
          {Object.entries(moments).map(([moment, text]) => (
            <Button
              key={moment}
              size="sm"
              variant="secondary"
              aria-pressed={preview.data && preview.variables.moment === moment}
              onClick={() => preview.mutate({ applicationId, moment: moment as Moment })}
            >
              {text}
            </Button>
          ))}
        </div>
        {preview.data && (
          <div className="max-w-3xl rounded-card border border-line bg-shell p-4">
            <StayView stay={preview.data.stay} instead={<span>••••</span>} />
          </div>
        )}
      </CardBody>
    </Card>
  )
}
