import { dialogOnDemand } from '../ui/on-demand.tsx'

/** The question before an action, loaded when it is first asked. */
export const ConfirmAction = dialogOnDemand(() => import('./confirm-action.tsx').then(m => m.ConfirmAction))
