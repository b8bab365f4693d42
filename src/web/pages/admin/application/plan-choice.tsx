import { type PlanChoice as Choice, planChoices } from '../../../../domain/money/payment-plan-kinds.ts'
import type { Outputs } from '../../../api/api.ts'
import type { FieldPropsOf } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { choiceLabels, planSummaryLabels } from '../plan-labels.ts'
import type { LeaseFormValues } from './lease-form.ts'
import { usePlanSettings } from './plan-data.ts'

export type LeasePlan = Outputs['leases']['terms']['plan']

/** The initial choice; null keeps the owner's custom payments. */
export const startingChoice = ({ choice, kind }: LeasePlan): Choice | null =>
  kind === 'custom' ? null : choice

type PlanChoiceProps = {
  /** Undefined if the terms could not be loaded. */
  plan: LeasePlan | undefined
  field: ReturnType<FieldPropsOf<LeaseFormValues>>
}

/** Selects the payment plan of this lease; renders nothing if no plan was ever set up or chosen. */
export function PlanChoice({ field, plan }: PlanChoiceProps) {
  const isSetUp = (usePlanSettings().data?.version ?? 0) > 0
  if (!plan || !(isSetUp || plan.choice !== 'setup' || plan.kind !== null)) return null
  return (
    <SelectField label="Payment plan" hint={`As set up: ${planSummaryLabels[plan.setup]}.`} {...field}>
      {planChoices.map(choice => (
        <option key={choice} value={choice}>
          {choiceLabels[choice]}
        </option>
      ))}
      {plan.kind === 'custom' && <option value="">Keep the custom payments</option>}
    </SelectField>
  )
}
