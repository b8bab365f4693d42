import type { Outputs } from '../../../api/api.ts'
import { NoticeList, useBoard } from '../dashboard/notice-board.tsx'

type PlanNotice = Outputs['plans']['due']['notices'][number]

/** Notices about payment plans and bank payments, with their actions. */
export function PlanNotices({ notices }: { notices: readonly PlanNotice[] }) {
  const board = useBoard(notices.length > 0).data?.notices ?? []
  const actionOf = ({ id }: PlanNotice) => board.find(notice => notice.id === id)?.action ?? null
  return <NoticeList notices={notices.map(notice => ({ ...notice, action: actionOf(notice) }))} />
}
