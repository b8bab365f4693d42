import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { depositMessages } from '../../../../domain/money/deposit-case.ts'
import { depositSection, ruleForm } from '../../../../domain/money/deposit-input.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Row } from '../../../ui/row.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { WithPlaceholders } from '../site/with-placeholders.tsx'
import { hundredths, hundredthsText } from './rule-list-card.tsx'
import { SettingsCard } from './settings-card.tsx'

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
      <ul className="grid gap-4">
        {rules.map(rule => (
          <li key={rule.id}>
            <Row title={rule.name} text={daysOf(rule)}>
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
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        {depositMessages.presetHint} A rule never changes, because deposits follow it.
        {since &&
          ` Stays that ended before ${formatShortDate(since)} have dates once you enter the day of leaving.`}
      </p>
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setOpened('new')}>
        <Plus aria-hidden />
        New rule
      </Button>
      {opened === 'new' && <NewRuleDialog onClose={close} />}
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

const daysOf = ({ claimDays, delivery, objectionDays, restDays, returnDays }: Rule): string =>
  [
    `Return within ${plural(returnDays, 'day')}`,
    `claim within ${claimDays}`,
    `object within ${objectionDays}`,
    `the rest within ${restDays}`,
    `by ${delivery}`,
  ].join(', ')

const placeholders = [
  { name: 'amount', meaning: 'What is claimed' },
  { name: 'reasons', meaning: 'The labels of the items' },
  { name: 'address', meaning: 'Where to object' },
]

function NewRuleDialog({ onClose }: { onClose: () => void }) {
  const add = api.deposits.addRule.useMutation()
  const form = useZodForm(ruleForm, {
    name: '',
    returnDays: 30,
    claimDays: 30,
    objectionDays: 15,
    restDays: 30,
    delivery: 'email',
    noticeText: '',
  })
  const field = fieldPropsOf(form)
  const days = (name: 'returnDays' | 'claimDays' | 'objectionDays' | 'restDays') => ({
    ...({ type: 'number', inputMode: 'numeric', min: 0, step: 1, required: true } as const),
    ...field(name, { setValueAs: text => (text === '' ? Number.NaN : Number(text)) }),
  })
  const { errors } = form.formState
  const submission = useDialogSubmit(form, 'Failed to save the rule', onClose, async typed => {
    await add.mutateAsync(typed)
    return 'Rule saved'
  })
  return (
    <FormDialog
      {...submission}
      title="New rule"
      description="It never changes afterwards, because deposits follow it. Have a lawyer check days and words."
      submitLabel="Save"
    >
      <TextField label="Name" required autoComplete="off" {...field('name')} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label="Days to return it" hint="From the day of leaving" {...days('returnDays')} />
        <TextField label="Days to send a statement" hint="From the day of leaving" {...days('claimDays')} />
      </div>
      <Disclosure
        summary="More: objecting, the rest, the letter"
        open={Boolean(errors.objectionDays || errors.restDays || errors.noticeText)}
      >
        <div className="grid gap-5">
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              label="Days to object"
              hint="From the statement; by post 5 days more"
              {...days('objectionDays')}
            />
            <TextField label="Days to return the rest" hint="From the statement" {...days('restDays')} />
            <SelectField label="How statements are sent" {...field('delivery')}>
              <option value="email">By email</option>
              <option value="post">By post, as a letter to print</option>
            </SelectField>
          </div>
          <WithPlaceholders placeholders={placeholders} tokenOf={name => `{${name}}`}>
            <TextAreaField
              label="Words of the statement"
              rows={6}
              hint="{amount} is what is claimed, {reasons} the labels of the items, {address} where to object."
              {...field('noticeText')}
            />
          </WithPlaceholders>
        </div>
      </Disclosure>
    </FormDialog>
  )
}
