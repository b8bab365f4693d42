import type { PlanChoice, PlanKind, SettingKind } from '../../../domain/money/payment-plan.ts'

export const planOptionLabels: Record<SettingKind, string> = {
  off: 'Off',
  full: 'All before arrival',
  split: 'Two parts',
  monthly: 'Monthly',
}

/** The kinds of payment plans, as shown when the settings are not being edited. */
export const planSummaryLabels: Record<SettingKind, string> = { ...planOptionLabels, off: 'No payment plan' }

/** The choices for a single lease. */
export const choiceLabels: Record<PlanChoice, string> = {
  ...planOptionLabels,
  setup: 'As set up',
  off: 'No plan',
}

/** The kinds of plans that a lease can have. */
export const planLabels: Record<PlanKind, string> = { ...planOptionLabels, custom: 'Custom payments' }
