/** `upcoming`: stays that are not over by arrival, then the others, newest first; it has no other order. */
export const applicationSorts = ['createdAt', 'firstName', 'status', 'totalAmount', 'upcoming'] as const
export type ApplicationSort = (typeof applicationSorts)[number]

export const defaultPageSize = 25
/** Rows of a response without pagination. */
export const maxUnpaged = 250
