export const deliveries = ['email', 'post'] as const
export type Delivery = (typeof deliveries)[number]
export const itemCategories = ['unpaid', 'damage', 'cleaning', 'missing', 'other'] as const
export type ItemCategory = (typeof itemCategories)[number]

/** An item as a statement or letter tells it. Cents. */
export type StatementItem = {
  id: string
  category: ItemCategory
  label: string
  amountCents: number
  photos: { id: string; sha256: string; receivedAt: string; takenAt: string | null; clockDoubtful: boolean }[]
}
