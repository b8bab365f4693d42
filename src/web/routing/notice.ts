import { useHistoryState } from 'wouter/use-browser-location'

/** A notice from the previous screen, such as the reason of a redirect to the login. */
export function useNotice(): string | undefined {
  const state: unknown = useHistoryState()
  if (typeof state !== 'object' || state === null || !('notice' in state)) return undefined
  return typeof state.notice === 'string' ? state.notice : undefined
}
