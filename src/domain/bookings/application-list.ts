export const applicationSorts = ['createdAt', 'firstName', 'status', 'totalAmount'] as const
export type ApplicationSort = (typeof applicationSorts)[number]

export const defaultPageSize = 25
/** Rows of a response without pagination. */
export const maxUnpaged = 500
