import { useState } from 'react'
import { Link } from 'wouter'
import { writeToGuest } from '../../../../domain/bookings/next-step.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useScreenPart } from '../../../ui/screen-parts.tsx'
import { Dotted } from '../dotted.tsx'
import { taskRow, toTask, useBoard } from './notice-board.tsx'
import { pollIntervalMs } from './paged-list.tsx'

type OwnerDay = Outputs['notices']['ownerDay']
type Task = OwnerDay['tasks'][number] | Exclude<ReturnType<typeof toTask>, never[]>

/** Today's tasks for the owner, refetched periodically. */
export const useOwnerDay = () => api.notices.ownerDay.useQuery(undefined, { refetchInterval: pollIntervalMs })

/** Today's tasks, arrivals and departures; renders nothing if there are none. */
export function DayCards({ day }: { day: ReturnType<typeof useOwnerDay> }) {
  const { data, isError, refetch } = day
  const board = useBoard()
  useScreenPart(day)
  if (!data)
    return (
      isError && (
        <p role="alert" className="text-red">
          Failed to load today’s tasks{' '}
          <button type="button" className="link" onClick={() => void refetch()}>
            Try Again
          </button>
        </p>
      )
    )
  const { taskCount, visits } = data
  // A guest who waits for an answer is already a task.
  const isTold = (id: string) =>
    data.tasks.some(task => task.kind === 'message' && id === `message-waiting-${task.applicationId}`)
  const notices = board.data?.notices ?? []
  const urgent = notices.flatMap(toTask).filter(({ id }) => !isTold(id))
  const datesOf: Partial<Record<Task['kind'], readonly string[]>> = {
    return_deposit: ['return', 'rest'],
    send_statement: ['claim'],
  }
  // A notice with the button of a task, or the warning about its date, stands for it.
  const isAbove = ({ applicationId, kind }: OwnerDay['tasks'][number]) =>
    notices.some(({ action, id, tone }) => {
      if (action?.kind !== 'application' || action.applicationId !== applicationId) return false
      if (action.returnCents !== undefined) return kind === 'return_deposit'
      return tone === 'warning' && datesOf[kind]?.some(date => id.startsWith(`deposit-${date}-`))
    })
  const steps = data.tasks.filter(task => !isAbove(task))
  const tasks = [...urgent, ...steps]
  if (tasks.length + visits.length === 0) return null
  return (
    <div
      className={classNames(
        'grid grid-cols-1 items-start gap-4 sm:gap-5',
        tasks.length > 0 && visits.length > 0 && 'lg:grid-cols-[minmax(0,1fr)_24rem]',
      )}
    >
      {tasks.length > 0 && <Tasks tasks={tasks} count={taskCount + tasks.length - data.tasks.length} />}
      {visits.length > 0 && <Visits visits={visits} />}
    </div>
  )
}

/** From the eighth task on the list is folded, so that it never hides a single one (LOOK-70). */
const tasksAtFirst = 6
const isFolded = (tasks: readonly Task[]) => tasks.length > tasksAtFirst + 1

function Tasks({ count, tasks }: { count: number; tasks: readonly Task[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen || !isFolded(tasks) ? tasks : tasks.slice(0, tasksAtFirst)
  const others = count - tasks.length
  return (
    <Card aria-label="Needs you">
      <CardHeader className="px-4! py-2.5! sm:px-6!" title={`Needs you (${count})`} />
      <ul className="divide-y divide-line">
        {shown.map(({ action, applicationId, detail, kind, title }, at) => (
          <li key={`${applicationId} ${kind} ${title}`} className={taskRow}>
            <Lines title={title} detail={detail} isUrgent={kind === 'overdue'} />
            <Button asChild size="sm" variant={at === 0 ? 'primary' : 'secondary'} className="min-w-35">
              <Link href={hrefOf(applicationId, kind, action)} aria-label={`${action}: ${title}`}>
                {action}
              </Link>
            </Button>
          </li>
        ))}
      </ul>
      {isFolded(tasks) && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="min-h-11 w-full border-t border-line px-4 text-left text-[0.9375rem] link sm:px-6"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer' : `Show ${tasks.length - tasksAtFirst} more`}
        </button>
      )}
      {others > 0 && isOpen && (
        <p className="border-t border-line px-4 py-2.5 text-[0.9375rem] text-muted sm:px-6">
          {others} more are in the table below.
        </p>
      )}
    </Card>
  )
}

function hrefOf(applicationId: string, kind: Task['kind'], action: string): string {
  if (kind === 'message') return `${paths.adminMessages}/${applicationId}`
  if (kind === 'review') return paths.adminReviews
  if (action === 'Decide') return paths.adminApplication(applicationId, 'answer')
  if (action === writeToGuest && kind !== 'signature') return paths.adminApplication(applicationId, 'write')
  return paths.adminApplication(applicationId, kind === 'offer' || kind === 'notice' ? undefined : kind)
}

function Visits({ visits }: { visits: OwnerDay['visits'] }) {
  return (
    <Card aria-label="Arrivals and departures">
      <CardHeader className="px-4! py-2.5! sm:px-6!" title="Arrivals and departures" />
      <ul className="divide-y divide-line">
        {visits.map(({ applicationId, day, detail, id, title }) => (
          <li key={id} className={taskRow}>
            <Lines title={title} detail={`${day} · ${detail}`} />
            <Button asChild size="sm" variant="secondary">
              <Link
                href={applicationId ? paths.adminApplication(applicationId) : paths.adminCalendars}
                aria-label={`Open: ${title}`}
              >
                Open
              </Link>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Lines({ detail, isUrgent = false, title }: { title: string; detail: string; isUrgent?: boolean }) {
  return (
    <div className="mr-auto min-w-0 grow flex-wrap items-baseline gap-x-3 leading-snug wrap-anywhere max-sm:contents lg:flex">
      <p className={classNames('font-semibold', isUrgent ? 'text-red' : 'text-navy')}>{title}</p>
      <p className="text-sm text-muted max-sm:order-last max-sm:col-span-2">
        <Dotted parts={detail.split(' · ')} />
      </p>
    </div>
  )
}
