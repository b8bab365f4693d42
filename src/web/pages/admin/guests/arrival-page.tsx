import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { Link } from 'wouter'
import { arrivalSectionNames } from '../../../../domain/arrival/arrival.ts'
import { formatTime } from '../../../../domain/arrival/stay-messages.ts'
import { type StaySettings, staySection } from '../../../../domain/arrival/stay-settings.ts'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { dayMs, hourMs } from '../../../../domain/common/durations.ts'
import { noBreak } from '../../../../domain/common/no-break.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useDay } from '../../../features/stays/today.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Row } from '../../../ui/row.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard } from '../settings/settings-card.tsx'
import { ChangeCode, ShowCode, useStayChange } from './codes.tsx'
import { ArrivalSectionForm } from './section-form.tsx'

/** What guests see on arrival, and the codes of the locks. */
export function ArrivalPage() {
  // Fetched together and shown together, so that nothing shifts.
  const stay = api.settings.stay.get.useQuery().data
  const hasTasks = (api.stays.codes.useQuery().data?.tasks.length ?? 0) > 0
  const query = api.stays.arrival.useQuery()
  return (
    <Page
      title="Arrival"
      subtitle="The way, the code and the Wi-Fi, for guests who may come in"
      back={<BackLink href={paths.adminGuests}>Back to Guests</BackLink>}
    >
      <div className="grid gap-6">
        <QueryView query={query} loading="Loading arrival..." error="Failed to load arrival">
          {({ locks, sections }) => (
            <>
              {hasTasks && <TasksCard />}
              <SettingsSection isOff={stay?.body.enabled === false} />
              {!hasTasks && <TasksCard />}
              {locks.some(({ kind }) => kind === 'standing') && (
                <Card aria-label="Codes for everybody">
                  <CardHeader title="Codes for everybody" subtitle="Locks with the same code for each stay" />
                  <CardBody className="grid gap-4">
                    {locks.map(lock =>
                      lock.kind === 'standing' ? (
                        <Row key={lock.lockId} title={lock.name}>
                          {lock.codeId && <ShowCode key={lock.codeId} codeId={lock.codeId} />}
                          <ChangeCode lock={lock} />
                        </Row>
                      ) : null,
                    )}
                  </CardBody>
                </Card>
              )}
              <Card aria-label="Information">
                <CardHeader title="Information" subtitle="A part that is empty is not shown" />
                {arrivalSectionNames.map(name => {
                  const saved = sections[name]
                  return saved && <ArrivalSectionForm key={name} name={name} saved={saved} />
                })}
              </Card>
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/** Whether guests see arrival information, and when it opens. */
function SettingsSection({ isOff }: { isOff: boolean }) {
  return (
    <SettingsCard
      title="When a stay opens"
      subtitle={
        isOff ? 'Guests do not see it yet' : 'It opens by itself once the lease is signed and nothing is due'
      }
      settings={api.settings.stay}
      schema={staySection.body}
      valuesOf={valuesOf}
      itemsOf={({ checkIn, checkOut, enabled, hoursBefore }) => [
        { label: 'Guests see their arrival information', value: enabled ? 'Yes' : 'No' },
        { label: 'Check-in from', value: formatTime(checkIn) },
        { label: 'Check-out by', value: formatTime(checkOut) },
        { label: 'Opens', value: `${plural(hoursBefore, 'hour')} before` },
      ]}
      what="arrival"
      saved="Arrival saved"
    >
      {() => <SettingsFields />}
    </SettingsCard>
  )
}

const valuesOf = (settings: StaySettings) => ({ ...settings })

function SettingsFields() {
  const form = useFormContext<StaySettings>()
  const field = fieldPropsOf(form)
  return (
    <>
      <CheckboxField role="switch" label="Show guests their arrival information" {...field('enabled')} />
      <div className="grid gap-4 sm:grid-cols-3 *:[div]:max-w-40">
        <TextField label="Check-in from" type="time" step={900} {...field('checkIn')} />
        <TextField label="Check-out by" type="time" step={900} {...field('checkOut')} />
        <TextField
          label="Hours before that"
          type="number"
          inputMode="numeric"
          {...field('hoursBefore')}
          {...form.register('hoursBefore', { valueAsNumber: true })}
        />
      </div>
      <CheckboxField label="Tenants can make links for their group" {...field('guestLinks')} />
      <CheckboxField label="Their links can show codes" {...field('guestCodes')} />
    </>
  )
}

const buttons = { set: 'It is set', remove: 'It is off', check: 'Let it stay' }
const doneTexts = { set: 'Marked as set', remove: 'Marked as taken off', check: 'The code stays' }

type Task = Outputs['stays']['codes']['tasks'][number]

function TasksCard() {
  const query = api.stays.codes.useQuery()
  return (
    <Card aria-label="Codes to set">
      <CardHeader title="Codes to set" subtitle="Set them at the lock, then mark them here" />
      <CardBody>
        <QueryView
          query={query}
          loading="Loading codes..."
          error="Failed to load codes"
          empty={({ tasks }) => tasks.length === 0 && <p className="text-muted">Nothing to set.</p>}
        >
          {({ now, tasks }) => {
            const urgency = (task: Task) => Number(isAtTheDoor(task, now))
            const sorted = tasks.toSorted((a, b) => urgency(b) - urgency(a))
            const first = sorted.find(task => !isEarly(task, now))
            return (
              <ul className="divide-y divide-line">
                {sorted.map(task => (
                  <li key={task.id} className="py-4 first:pt-0 last:pb-0">
                    <TaskRow task={task} now={now} isFirst={task === first} />
                  </li>
                ))}
              </ul>
            )
          }}
        </QueryView>
      </CardBody>
    </Card>
  )
}

/** The previous guest is still there. */
const isEarly = ({ action, from }: Task, now: string) => action === 'set' && from !== null && from > now

/** Its guest arrives within a day, or is late. */
const isAtTheDoor = (task: Task, now: string) =>
  task.action === 'set' && task.tone === 'danger' && !isEarly(task, now)

function TaskRow({ isFirst, now, task }: { task: Task; now: string; isFirst: boolean }) {
  const { action, applicationId, codeId, guestName, lockName, tone } = task
  const { timeZone } = useDay()
  const set = api.stays.markSet.useMutation()
  const removed = api.stays.markRemoved.useMutation()
  const run = useStayChange()
  const [isAsking, setAsking] = useState(false)
  const failed = 'Failed to mark the code'
  const mark = () =>
    run(
      () => (action === 'set' ? set.mutateAsync({ codeId }) : removed.mutateAsync({ codeId, applicationId })),
      doneTexts[action],
      failed,
    )
  const late = action === 'check' ? undefined : lateText(task.until, now)
  return (
    <Row
      title={
        <>
          <Link href={`${paths.adminArrival}/${applicationId}`} className="link">
            {guestName}
          </Link>
          , {lockName}{' '}
          {(late || tone || action === 'remove') && (
            <Badge className="ml-1" tone={late || tone === 'danger' ? 'red' : 'yellow'}>
              {late ?? 'Due'}
            </Badge>
          )}
        </>
      }
      text={taskText(task, now, timeZone)}
    >
      <ShowCode key={codeId} codeId={codeId} />
      <Button
        size="sm"
        variant={isFirst ? 'primary' : 'secondary'}
        onClick={() => (isEarly(task, now) ? setAsking(true) : mark())}
      >
        {buttons[action]}
      </Button>
      {isAsking && (
        <ConfirmAction
          title="Is it set at the lock already?"
          body={noBreak(earlyText(task, timeZone))}
          confirmLabel={buttons.set}
          action={async () => {
            await set.mutateAsync({ codeId })
            return doneTexts.set
          }}
          failedText={failed}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  )
}

function taskText(task: Task, now: string, timeZone: string): string {
  if (task.action === 'check')
    return 'This guest has seen it and should not come in now. Change it below, or let it stay.'
  const [from, until] = [task.from ?? now, task.until].map(moment => formatMoment(moment, timeZone))
  if (task.action === 'remove') return `Take it off by ${until}, also if the next code has replaced it`
  const why = task.again ? 'Another guest’s code may have replaced it. ' : ''
  const former = task.ends ? `. The code of ${task.ends} ends with it` : ''
  if (!isEarly(task, now)) return `${why}Set it by ${until}${former}`
  return `${why}Set it ${from === until ? `on ${until}, not before` : `between ${from} and ${until}`}`
}

function earlyText({ from, until }: Task, timeZone: string): string {
  const moment = formatMoment(from ?? until, timeZone)
  // The previous guest may stay past this arrival.
  const leaves = from === until ? 'does not leave before' : 'leaves on'
  return `The guest before ${leaves} ${moment}. Until then, another code at the lock may shut them out.`
}

/** '2 days late', 'Late' within the first hour; undefined in time. */
function lateText(until: string, now: string): string | undefined {
  const ms = Date.parse(now) - Date.parse(until)
  if (ms < 0) return undefined
  if (ms < hourMs) return 'Late'
  return `${ms < dayMs ? plural(Math.trunc(ms / hourMs), 'hour') : plural(Math.trunc(ms / dayMs), 'day')} late`
}
