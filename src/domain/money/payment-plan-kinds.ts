import type { CalendarDate } from '../common/dates.ts'

/** The kinds of plan that can be made from the terms of a lease. */
export const generatedKinds = ['full', 'split', 'monthly'] as const
export type GeneratedKind = (typeof generatedKinds)[number]
/** The kinds of plan that a lease can have. */
export const planKinds = [...generatedKinds, 'custom'] as const
export type PlanKind = (typeof planKinds)[number]
/** The kinds that the settings allow; `off` makes no plan. */
export const settingKinds = ['off', ...generatedKinds] as const
export type SettingKind = (typeof settingKinds)[number]
/** Choices for a single lease; `setup` follows the settings. */
export const planChoices = ['setup', ...settingKinds] as const
export type PlanChoice = (typeof planChoices)[number]
export const lateFeeKinds = ['none', 'fixed', 'percent'] as const

/** Maximum number of payments that the owner can enter, not counting the deposit. */
export const maxInstalments = 60

/** A payment that the owner enters; without a date it is due at signing. */
export type CustomRow = { amountCents: number; dueDate: CalendarDate | null }

/** States that the list of due payments can be filtered by; `upcoming` includes partly paid ones. */
export const dueFilters = ['overdue', 'due', 'upcoming', 'on_its_way'] as const
export type DueFilter = (typeof dueFilters)[number]
