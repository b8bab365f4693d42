import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { depositMessages } from '../../../../domain/money/deposit-case.ts'
import { depositSection } from '../../../../domain/money/deposit-input.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Row } from '../../../ui/row.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { hundredths, hundredthsText } from './rule-list-card.tsx'
import { SettingsCard } from './settings-card.tsx'

/** Loaded when it is opened, because it brings the list of placeholders from the site's forms. */
const NewRuleDialog = lazy(() => import('./new-rule-dialog.tsx').then(m => ({ default: m.NewRuleDialog })))

/** The security deposit of new leases (LOOK-56). */
export function DepositCard() {
  return (
    <SettingsCard
      {...deposit}
      title="Security deposit"
      subtitle="For new estimates and leases. A lease that exists keeps its deposit."
      schema={depositForm}
      valuesOf={valuesOf}
      itemsOf={({ amountCents }) => [
        { label: 'Deposit', value: amountCents === null ? 'A month’s rent' : formatCents(amountCents) },
      ]}
    >
      {() => <DepositFields />}
    </SettingsCard>
  )
}

/** Both cards save the whole section. */
const deposit = { settings: api.settings.deposit, what: 'the deposit', saved: 'Deposit saved' }

const kinds = ['amount', 'month'] as const

/** The deposit as typed, in dollars, and the rest of the section as it is. */
const depositForm = z
  .object({ ...depositSection.body.shape, kind: z.enum(kinds), amountCents: z.string() })
  .transform(
    ({ amountCents, kind, ...rest }): z.input<typeof depositSection.body> => ({
      ...rest,
      amountCents: kind === 'month' ? null : (hundredths(amountCents) ?? Number.NaN),
    }),
  )
  .pipe(depositSection.body)
type DepositValues = z.input<typeof depositForm>

const valuesOf = ({ amountCents, ...rest }: z.output<typeof depositForm>): DepositValues => ({
  ...rest,
  kind: amountCents === null ? 'month' : 'amount',
  amountCents: hundredthsText(amountCents),
})

function DepositFields() {
  const form = useFormContext<DepositValues>()
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  return (
    <>
      <RadioGroupField
        label="Deposit"
        cards
        options={[
          { value: 'amount', label: 'An amount' },
          { value: 'month', label: 'A month’s rent', hint: 'For less than a month, the rent of the stay.' },
        ]}
        {...field('kind')}
      />
      {kind === 'amount' && (
        <MoneyField label="Amount" required className="max-w-52" {...field('amountCents')} />
      )}
    </>
  )
}

type Rules = Outputs['deposits']['rules']['rules']

/** Whether deposits that were paid are watched until they are back, and by which rules. */
export function ReturningCard({ rules }: { rules: Rules }) {
  const { enabled, ruleId, since } = api.settings.deposit.get.useQuery().data?.body ?? {}
  return (
    <SettingsCard
      {...deposit}
      title="Returning deposits"
      subtitle="Until when a deposit must be returned or claimed, with reminders, items and statements."
      schema={depositSection.body}
      valuesOf={body => body}
      itemsOf={({ enabled }) => [{ label: 'Deadlines and reminders', value: enabled ? 'On' : 'Off' }]}
      below={enabled && ruleId && <DepositRules rules={rules} usualId={ruleId} since={since ?? null} />}
    >
      {() => <WatchFields rules={rules} />}
    </SettingsCard>
  )
}

function WatchFields({ rules }: { rules: Rules }) {
  const form = useFormContext<z.input<typeof depositSection.body>>()
  const field = fieldPropsOf(form)
  const [enabled, ruleId, since] = useWatch({
    control: form.control,
    name: ['enabled', 'ruleId', 'since'],
  })
  return (
    <>
      <CheckboxField
        label="Watch deposits and their dates"
        hint={
          since === null && 'Stays that ended before today have no dates until you enter the day of leaving.'
        }
        {...field('enabled')}
      />
      {enabled && (
        <SelectField
          label="Usual rule"
          hint={rules.find(({ id }) => id === ruleId)?.preset && depositMessages.presetHint}
          {...field('ruleId')}
        >
          {rules.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}

type Rule = Rules[number]
type DepositRulesProps = { rules: Rules; usualId: string; since: string | null }

/** How long a deposit may be kept and claimed. A rule never changes, because deposits follow it. */
function DepositRules({ rules, since, usualId }: DepositRulesProps) {
  const [opened, setOpened] = useState<Rule | 'new'>()
  const archive = api.deposits.archiveRule.useMutation()
  const close = () => setOpened(undefined)
  return (
    <div className="mt-5 grid gap-4 border-t border-line pt-5">
      <ul className="grid gap-6">
        {rules.map(rule => (
          <li key={rule.id}>
            <Row title={rule.name}>
              {rule.id === usualId && <Badge tone="blue">Usual rule</Badge>}
              {!rule.preset && rule.id !== usualId && (
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Archive ${rule.name}`}
                  onClick={() => setOpened(rule)}
                >
                  Archive
                </Button>
              )}
            </Row>
            <DefinitionList className="mt-2" items={factsOf(rule)} />
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        {depositMessages.presetHint} A rule never changes, because deposits follow it.
        {since && ` For stays that ended before ${formatShortDate(since)}, enter the day of leaving first.`}
      </p>
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setOpened('new')}>
        <Plus aria-hidden />
        New rule
      </Button>
      <Suspense>{opened === 'new' && <NewRuleDialog onClose={close} />}</Suspense>
      {typeof opened === 'object' && (
        <ConfirmAction
          title={`Archive ${opened.name}?`}
          body="It can no longer be chosen. Deposits that follow it keep it."
          confirmLabel="Archive"
          busyLabel="Archiving..."
          action={async () => (await archive.mutateAsync({ id: opened.id })).message}
          failedText="Failed to archive the rule"
          onClose={close}
        />
      )}
    </div>
  )
}

const factsOf = ({ claimDays, delivery, objectionDays, restDays, returnDays }: Rule) => [
  { label: 'Return within', value: plural(returnDays, 'day') },
  { label: `Statement by ${delivery} within`, value: plural(claimDays, 'day') },
  { label: 'The guest may object for', value: plural(objectionDays, 'day') },
  { label: 'Return the rest within', value: plural(restDays, 'day') },
]
