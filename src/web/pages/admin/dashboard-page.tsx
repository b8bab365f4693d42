import { Page } from '../../ui/page.tsx'
import { ApplicationList } from './dashboard/application-list.tsx'
import { NoticeBoard } from './dashboard/notice-board.tsx'
import { StatCards } from './dashboard/stat-cards.tsx'

export function AdminDashboardPage() {
  return (
    <Page title="Application Management" subtitle="Every application that was submitted, and how far it is">
      <NoticeBoard />
      <StatCards />
      <ApplicationList />
    </Page>
  )
}
