/** Who nights are kept for. */
export const claimKinds = ['addendum'] as const
export type ClaimKind = (typeof claimKinds)[number]

export const claimStates = ['open', 'ended'] as const
export const claimEnds = ['done', 'declined', 'withdrawn', 'expired', 'closed'] as const
export type ClaimEnd = (typeof claimEnds)[number]
