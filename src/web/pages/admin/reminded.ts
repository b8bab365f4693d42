import { isOwing, writeToGuest } from '../../../domain/bookings/owner-day.ts'
import { api } from '../../api/api.ts'

/** Whether the guest of an application was reminded today, as the owner's day says; there is one reminder a day. */
export function useIsReminded(enabled = true): (applicationId: string) => boolean {
  const { tasks = [] } = api.notices.ownerDay.useQuery(undefined, { enabled }).data ?? {}
  return id => tasks.some(task => task.applicationId === id && task.action === writeToGuest && isOwing(task))
}
