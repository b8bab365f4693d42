export const applicationSorts = ['createdAt', 'firstName', 'status', 'totalAmount'] as const
export type ApplicationSort = (typeof applicationSorts)[number]

export const defaultPageSize = 25
/** Rows of a response without pagination; the REST path streams all of them. */
export const maxUnpaged = 500
