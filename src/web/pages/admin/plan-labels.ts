import type { PlanChoice, PlanKind, SettingKind } from '../../../domain/payment-plan-kinds.ts'

export const settingLabels: Record<SettingKind, string> = {
  off: 'Off',
  full: 'All before arrival',
  split: 'Two parts',
  monthly: 'Monthly',
}

/** The kind of plan on Setup, where its form is not shown. */
export const setupLabels: Record<SettingKind, string> = { ...settingLabels, off: 'No payment plan' }

/** What can be chosen for one lease. */
export const choiceLabels: Record<PlanChoice, string> = {
  ...settingLabels,
  setup: 'As set up',
  off: 'No plan',
}

/** The plan that a lease has. */
export const planLabels: Record<PlanKind, string> = { ...settingLabels, custom: 'Custom payments' }
