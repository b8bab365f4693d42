import { dialogOnDemand } from '../ui/on-demand.tsx'

/** The confirmation dialog, loaded on first use. */
export const ConfirmAction = dialogOnDemand(() => import('./confirm-action.tsx').then(m => m.ConfirmAction))
