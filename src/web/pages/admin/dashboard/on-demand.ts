import { dialogOnDemand } from '../../../ui/on-demand.tsx'

/** Dialogs whose code is loaded on first use. */
export const DeleteApplicationDialog = dialogOnDemand(() =>
  import('../delete-application-dialog.tsx').then(m => m.DeleteApplicationDialog),
)
export const ConfirmBulkAction = dialogOnDemand(() =>
  import('./bulk-dialogs.tsx').then(m => m.ConfirmBulkAction),
)
export const BulkResults = dialogOnDemand(() => import('./bulk-dialogs.tsx').then(m => m.BulkResults))
