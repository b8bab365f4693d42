import { paths } from '../routing/paths.ts'
import type { SessionState } from './session.tsx'

/** Where 'Apply' leads: to the form for a signed-in tenant, else to the registration. */
export function applyPath(session: SessionState): string {
  return session.status === 'authenticated' ? paths.newApplication : paths.register
}
