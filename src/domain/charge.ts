export const chargeKinds = [
  'rent',
  'deposit',
  'fee',
  'discount',
  'tax',
  'late_fee',
  'damage',
  'adjustment',
] as const
export type ChargeKind = (typeof chargeKinds)[number]

/** What wrote a charge. Those of a lease are written with its text. */
export const chargeSources = ['lease', 'owner', 'plan', 'addendum', 'cancellation'] as const
export type ChargeSource = (typeof chargeSources)[number]

export const feeKinds = ['fee', 'discount'] as const
export type FeeKind = (typeof feeKinds)[number]

/** What a fee is counted by. */
export const feeUnits = ['stay', 'night', 'guest', 'guest_night', 'rent'] as const
export type FeeUnit = (typeof feeUnits)[number]
