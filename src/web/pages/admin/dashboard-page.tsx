import { api } from '../../api/api.ts'
import { Page } from '../../ui/page.tsx'
import { ApplicationList } from './dashboard/application-list.tsx'
import { NoticeBoard } from './dashboard/notice-board.tsx'
import { StatCards } from './dashboard/stat-cards.tsx'

export function AdminDashboardPage() {
  const notices = api.notices.list.useQuery()
  return (
    <Page title="Application Management" subtitle="Every application that was submitted, and how far it is">
      <NoticeBoard />
      {/* Hidden until the notices are loaded, which would otherwise push it down. */}
      <div className={notices.isPending ? 'invisible' : undefined}>
        <StatCards />
        <ApplicationList />
      </div>
    </Page>
  )
}
