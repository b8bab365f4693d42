import { useHistoryState } from 'wouter/use-browser-location'

/** What the screen before this one wanted said here, such as why somebody was sent to the login. */
export function useNotice(): string | undefined {
  const state: unknown = useHistoryState()
  if (typeof state !== 'object' || state === null || !('notice' in state)) return undefined
  return typeof state.notice === 'string' ? state.notice : undefined
}
