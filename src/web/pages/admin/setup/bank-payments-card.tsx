import { api, type Outputs } from '../../../api/api.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Reload, SectionForm, useSectionForm } from './section-form.tsx'
import { SetupCard } from './setup-card.tsx'

type Saved = Outputs['setup']['bank']['get']

/** Whether tenants can pay from a bank account, and what that needs at the provider. */
export function BankPaymentsCard() {
  const query = api.setup.bank.get.useQuery()
  return (
    <SetupCard
      title="Bank Payments"
      subtitle="Payments from a US bank account (ACH Direct Debit), without the card fee"
    >
      <QueryView query={query} loading="Loading..." error="Failed to load the settings of bank payments">
        {saved => <BankForm saved={saved} reload={query.refetch} />}
      </QueryView>
    </SetupCard>
  )
}

const valuesOf = ({ enabled }: Saved['body']) => ({ enabled })

function BankForm({ saved, reload }: { saved: Saved; reload: Reload<Saved> }) {
  const utils = api.useUtils()
  const save = api.setup.bank.save.useMutation()
  const form = useZodForm(
    () => import('../../../../domain/payment-plan-form.ts').then(m => m.bankSection.body),
    valuesOf(saved.body),
  )
  const section = useSectionForm({
    form,
    saved,
    reload,
    valuesOf,
    failedText: 'Failed to save the settings of bank payments',
    save: async change => {
      const now = await save.mutateAsync(change)
      utils.setup.bank.get.setData(undefined, now)
      toast.success('Bank payments saved')
      // Saving forgets that the provider refused one.
      void utils.notices.invalidate()
      void utils.plans.invalidate()
      return now
    },
  })
  return (
    <SectionForm {...section}>
      <p>
        First switch on <strong>ACH Direct Debit</strong> at the provider: Stripe Dashboard, Settings, Payment
        methods. If the provider refuses a bank payment, tenants pay by card until you save here again.
      </p>
      <CheckboxField
        role="switch"
        label="Offer payments from a bank account"
        hint="The money takes up to 4 business days. It can fail on the way, and the bank can take it back weeks later; you get a notice of both."
        {...fieldPropsOf(form)('enabled')}
      />
    </SectionForm>
  )
}
