/** Why money goes back. */
export const legCauses = ['deposit', 'cancellation'] as const
export const legKinds = ['deposit', 'other'] as const
/** `card` and `bank` go back through the provider. */
export const legWays = ['card', 'bank', 'hand'] as const
export type LegWay = (typeof legWays)[number]
/** `sent` was accepted by the provider, which may still fail. */
export const legStates = ['waiting', 'sent', 'done', 'failed', 'withdrawn'] as const
export type LegState = (typeof legStates)[number]
