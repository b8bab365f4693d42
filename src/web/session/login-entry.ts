import { useHistoryState } from 'wouter/use-browser-location'
import { paths } from '../routing/paths.ts'
import type { User } from './session.tsx'

/** What the screen before hands to the login. */
export type LoginEntry = {
  /** Why one is here. */
  notice?: string | undefined
  /** The address of who has just registered. */
  email?: string | undefined
  /** The page that was asked for, with its query. */
  page?: string | undefined
  /** Whose session ended on that page. */
  userId?: string | undefined
}

/** Only this site writes the history's state. */
export const useLoginEntry = (): LoginEntry => useHistoryState<LoginEntry | null>() ?? {}

/** Where a login leads: to the page that was asked for if it is for this user, else to the dashboard. */
export function pageAfterLogin(
  { page, userId }: LoginEntry,
  { id, role }: Pick<User, 'id' | 'role'>,
): string {
  const isAdmin = role === 'admin'
  if (page && (isAdmin || !page.startsWith('/admin')) && (userId ?? id) === id) return page
  return isAdmin ? paths.adminDashboard : paths.dashboard
}
