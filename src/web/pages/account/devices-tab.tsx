import { LogOut } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { plural } from '../../../domain/common/plural.ts'
import { api, type Outputs } from '../../api/api.ts'
import { Section } from '../../features/security/section.tsx'
import { RelativeTime } from '../../features/stays/relative-time.tsx'
import { useTimeZone } from '../../features/stays/today.ts'
import { useChange } from '../../forms/change.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { QueryView } from '../../ui/query-view.tsx'

type Session = Outputs['sessions']['list']['sessions'][number]

/** The sessions of the account. Each of them can be ended (SAFE-20, SAFE-21). */
export function DevicesTab() {
  const query = api.sessions.list.useQuery()
  return (
    <QueryView query={query} loading="Loading..." error="Failed to load your devices">
      {({ sessions }) => <Devices sessions={sessions} />}
    </QueryView>
  )
}

function Devices({ sessions }: { sessions: readonly Session[] }) {
  const list = useRef<HTMLUListElement>(null)
  const { end, endOthers } = useEndSessions(list)
  const isBusy = end.isPending || endOthers.isPending
  const inOrder = [
    ...sessions.filter(({ current }) => current),
    ...sessions.filter(({ current }) => !current),
  ]
  return (
    <Section
      title="Your devices"
      action={
        sessions.some(({ current }) => !current) && (
          <Button
            variant="secondary"
            disabled={isBusy}
            busy={endOthers.isPending}
            busyLabel="Logging out..."
            onClick={() => endOthers.mutate()}
          >
            Log out everywhere else
          </Button>
        )
      }
    >
      <p>
        These browsers are logged in to your account. If you do not recognize one, log it out and change your
        password.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Your devices"
        className="divide-y divide-line rounded-control border border-line"
      >
        {inOrder.map(session => (
          <Device
            key={session.id}
            session={session}
            disabled={isBusy}
            busy={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
    </Section>
  )
}

/** The row of an ended session disappears with its button, so the list gets the focus. */
function useEndSessions(list: RefObject<HTMLElement | null>) {
  const { sessions } = api.useUtils().client
  const failed = 'Failed to log out'
  const end = useChange(failed, async (id: string) => {
    const { message } = await sessions.end.mutate({ id })
    list.current?.focus()
    return message
  })
  const endOthers = useChange(failed, async () => {
    const { ended } = await sessions.endOthers.mutate()
    list.current?.focus()
    return `Logged out on ${plural(ended, 'other device')}`
  })
  return { end, endOthers }
}

type DeviceProps = { session: Session; disabled: boolean; busy: boolean; onEnd: () => void }

function Device({ session, disabled, busy, onEnd }: DeviceProps) {
  const timeZone = useTimeZone()
  const usesId = useId()
  const { address, browser, createdAt, current, lastUsedAt } = session
  return (
    <li className="flex items-center justify-between gap-x-4 gap-y-1 py-2.5 pr-2 pl-4 max-sm:flex-wrap">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere text-navy">{browser}</span>
          {current && <Badge tone="green">This device</Badge>}
        </div>
        <p id={usesId} className="text-[0.9375rem] wrap-anywhere text-muted">
          First used {formatMomentDate(createdAt, timeZone)}, last used <RelativeTime at={lastUsedAt} />
          {address && ` from ${address}`}
        </p>
      </div>
      {!current && (
        <Button
          size="sm"
          variant="ghost"
          className="text-red max-sm:-ml-3"
          aria-describedby={usesId}
          disabled={disabled}
          busy={busy}
          busyLabel="Logging out..."
          onClick={onEnd}
        >
          <LogOut aria-hidden />
          Log out<span className="sr-only"> {browser}</span>
        </Button>
      )}
    </li>
  )
}
