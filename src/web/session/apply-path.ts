import { paths } from '../routing/paths.ts'
import type { SessionState } from './session.tsx'

/** Where 'Apply' leads: a signed-in tenant to the form, anyone else to an account first. */
export function applyPath(session: SessionState): string {
  return session.status === 'authenticated' ? paths.newApplication : paths.register
}
