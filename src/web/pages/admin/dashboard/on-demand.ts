import { dialogOnDemand } from '../../../ui/on-demand.tsx'

/** Dialogs whose code is loaded on first use. */
export const DeleteApplicationDialog = dialogOnDemand(() =>
  import('../delete-application-dialog.tsx').then(m => m.DeleteApplicationDialog),
)
export const BulkQuestion = dialogOnDemand(() => import('./bulk-dialogs.tsx').then(m => m.BulkQuestion))
export const BulkResults = dialogOnDemand(() => import('./bulk-dialogs.tsx').then(m => m.BulkResults))
