import { formatWeekday } from '../../../../domain/common/dates.ts'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Page } from '../../../ui/page.tsx'
import { ScreenParts } from '../../../ui/screen-parts.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ApplicationList } from './application-list.tsx'
import { NoticeBoard, useBoard } from './notice-board.tsx'
import { OpeningCard } from './opening-card.tsx'
import { DayCards, useOwnerDay } from './owner-day.tsx'
import { StatCards } from './stat-cards.tsx'

/** Today's tasks for the owner, then what is left of an open site, statistics and all applications. */
export function AdminDashboardPage() {
  const today = useToday()
  const notices = useBoard()
  const day = useOwnerDay()
  const counts = api.applications.adminCounts.useQuery()
  const isLoading = notices.isPending || day.isPending || counts.isPending
  const isQuiet = day.data?.taskCount === 0 && notices.data?.notices.length === 0
  return (
    <Page
      title="Today"
      subtitle={
        <>
          {formatWeekday(today)}. {isQuiet && 'Nothing needs you today. '}
          {day.data?.staying}
        </>
      }
    >
      <ScreenParts>
        {/* Hidden until notices and tasks have loaded, because those would push the rest down. */}
        <div className={classNames('relative grid grid-cols-1 gap-4 sm:gap-5', isLoading && 'invisible')}>
          {isLoading && (
            <Spinner label="Loading today’s tasks..." className="visible absolute inset-x-0 top-0" />
          )}
          <OpeningCard whenOpen={false} />
          <NoticeBoard tasks={day.data?.tasks ?? []} />
          <DayCards day={day} />
          <OpeningCard whenOpen />
          <StatCards figures={day.data?.figures} />
          <ApplicationList />
        </div>
      </ScreenParts>
    </Page>
  )
}
