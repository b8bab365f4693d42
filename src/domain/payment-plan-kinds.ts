import type { CalendarDate } from './dates.ts'

/** The plans that can be made from the terms of a lease. */
export const madeKinds = ['full', 'split', 'monthly'] as const
export type MadeKind = (typeof madeKinds)[number]
/** The plans that a lease can have. */
export const planKinds = [...madeKinds, 'custom'] as const
export type PlanKind = (typeof planKinds)[number]
/** What the settings can say; `off` makes no plan. */
export const settingKinds = ['off', ...madeKinds] as const
export type SettingKind = (typeof settingKinds)[number]
/** What can be chosen for one lease; `setup` is as the settings say. */
export const planChoices = ['setup', ...settingKinds] as const
export type PlanChoice = (typeof planChoices)[number]
export const lateFeeKinds = ['none', 'fixed', 'percent'] as const

/** How many payments the owner can enter besides the deposit. */
export const maxInstalments = 60

/** A payment that the owner enters; without a date it is due at signing. */
export type CustomRow = { amountCents: number; dueDate: CalendarDate | null }

/** The states that the list of what is due can be filtered by; `upcoming` has the partly paid ones too. */
export const dueFilters = ['overdue', 'due', 'upcoming', 'on_its_way'] as const
export type DueFilter = (typeof dueFilters)[number]
