import { useHistoryState } from 'wouter/use-browser-location'
import { paths } from '../routing/paths.ts'
import type { User } from './session.tsx'

/** The state that the previous screen passes to the login screen. */
export type LoginEntry = {
  /** Why the user was sent to the login screen. */
  notice?: string | undefined
  /** The email address of a user who has just registered. */
  email?: string | undefined
  /** The requested page, including its query string. */
  page?: string | undefined
  /** The user whose session ended on that page. */
  userId?: string | undefined
}

/** The history state can be trusted: only this site writes it. */
export const useLoginEntry = (): LoginEntry => useHistoryState<LoginEntry | null>() ?? {}

/** Where a login leads: to the requested page if it is for this user, else to the dashboard. */
export function pageAfterLogin(
  { page, userId }: LoginEntry,
  { id, role }: Pick<User, 'id' | 'role'>,
): string {
  const isAdmin = role === 'admin'
  if (page && (isAdmin || !page.startsWith('/admin')) && (userId ?? id) === id) return page
  return isAdmin ? paths.adminDashboard : paths.dashboard
}
