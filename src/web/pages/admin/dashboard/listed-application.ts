import type { Outputs } from '../../../api/api.ts'

export type ListedApplication = Outputs['applications']['adminList']['applications'][number]

export const nameOf = ({ firstName, lastName }: Pick<ListedApplication, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`

export const nameWithNumber = (
  row: Pick<ListedApplication, 'firstName' | 'lastName' | 'applicationNumber'>,
) => `${nameOf(row)}, ${row.applicationNumber}`

export const bulkActions = ['approve', 'reject', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]
/** The selected applications when the action was chosen: the table refreshes behind the dialog. */
export type BulkSelection = { action: BulkAction; selected: readonly ListedApplication[] }
export type BulkResult = { application: ListedApplication; error: string | undefined }
