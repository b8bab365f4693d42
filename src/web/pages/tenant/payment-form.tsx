import { type FormEvent, useId } from 'react'
import { formatCents } from '../../../domain/money.ts'
import { rentQuickAmountsCents } from '../../../domain/payment.ts'
import { formatStay } from '../../../domain/stay.ts'
import type { Outputs } from '../../api/api.ts'
import { parseDollars, toDollarText } from '../../features/payments/dollar-amount.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { RadioGroupField, SelectField } from '../../ui/choice-fields.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { MoneyField, TextAreaField, TextField } from '../../ui/text-field.tsx'
import { useCheckout } from './use-checkout.ts'

type Options = Outputs['payments']['options']
type Checkout = ReturnType<typeof useCheckout>
type PaymentFormProps = { options: Options; applicationId: string | undefined }

/** What to pay and for what; it leads to the provider's page. */
export function PaymentForm({ options, applicationId }: PaymentFormProps) {
  const checkout = useCheckout(options, applicationId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void checkout.proceed()
  }
  return (
    <Card aria-label="Payment">
      <CardHeader title="Payment" subtitle="By card, on our payment provider’s secure page" />
      <CardBody>
        <form noValidate onSubmit={submit} className="grid gap-6">
          <ApplicationChoice checkout={checkout} options={options} isFixed={applicationId !== undefined} />
          <TypeAndAmount checkout={checkout} />
          <TextAreaField
            label="Description (optional)"
            rows={2}
            maxLength={500}
            value={checkout.description}
            onChange={event => checkout.setDescription(event.target.value)}
            error={checkout.error('description')}
          />
          <TextField
            label="Email"
            type="email"
            readOnly
            value={options.email}
            hint="Your receipt goes to the e-mail address of your account."
          />
          <Notice tone="info">
            Card payments carry a {options.feeBasisPoints / 100}% fee. The ways to pay below cost no fee.
          </Notice>
          <Summary checkout={checkout} />
          <FormError>{checkout.formError}</FormError>
          <Button type="submit" size="lg" busy={checkout.busy} busyLabel="Taking you to the payment...">
            Proceed to Payment
          </Button>
        </form>
      </CardBody>
    </Card>
  )
}

function ApplicationChoice({
  checkout,
  options,
  isFixed,
}: {
  checkout: Checkout
  options: Options
  isFixed: boolean
}) {
  const { application } = checkout
  if (!application) {
    return <Notice>You have no application yet. This payment is kept on your account.</Notice>
  }
  const { balance } = application
  const state =
    (application.leaseGenerated || balance.owedCents > 0) && balance.balanceCents !== 0
      ? `${balance.label}: ${formatCents(balance.amountCents)}`
      : balance.label
  if (isFixed || options.applications.length === 1) {
    return (
      <div>
        <p className="text-[0.9375rem] text-muted">For your application</p>
        <p className="font-semibold text-navy">{nameOf(application)}</p>
        <p className="text-[0.9375rem] text-muted">{state}</p>
      </div>
    )
  }
  return (
    <SelectField
      label="For which application?"
      value={application.id}
      onChange={event => checkout.setApplicationId(event.target.value)}
      hint={state}
      error={checkout.error('applicationId')}
    >
      {options.applications.map(option => (
        <option key={option.id} value={option.id}>
          {nameOf(option)}
        </option>
      ))}
    </SelectField>
  )
}

function nameOf({ applicationNumber, startDate, endDate }: Options['applications'][number]): string {
  return startDate && endDate
    ? `${applicationNumber}, ${formatStay({ start: startDate, end: endDate })}`
    : applicationNumber
}

function TypeAndAmount({ checkout }: { checkout: Checkout }) {
  const { depositCents, depositDueCents, depositPaid, depositState, type } = checkout
  return (
    <>
      <RadioGroupField
        label="Payment Type"
        name="paymentType"
        cards
        value={type}
        onChange={event => checkout.setType(event.target.value === 'rent' ? 'rent' : 'deposit')}
        options={[
          {
            value: 'deposit',
            label: 'Deposit',
            hint: depositPaid ? depositState : formatCents(depositDueCents),
            disabled: depositPaid,
          },
          { value: 'rent', label: 'Rent', hint: 'Any amount towards your stay' },
        ]}
      />
      {type === 'deposit' ? (
        <TextField
          label="Amount"
          readOnly
          value={formatCents(depositDueCents)}
          hint={
            depositDueCents < depositCents
              ? `What is left to pay of the security deposit of ${formatCents(depositCents)}.`
              : 'The security deposit is fixed.'
          }
          error={checkout.error('amount')}
        />
      ) : (
        <RentAmount checkout={checkout} />
      )}
    </>
  )
}

function RentAmount({ checkout }: { checkout: Checkout }) {
  const labelId = useId()
  const chosen = parseDollars(checkout.amount)
  const balanceCents = checkout.application?.balance.balanceCents ?? 0
  const owed =
    balanceCents > 0 ? [{ cents: balanceCents, label: `Balance ${formatCents(balanceCents)}` }] : []
  const quick = rentQuickAmountsCents.map(cents => ({ cents: cents as number, label: formatCents(cents) }))
  return (
    <div className="grid gap-4">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset of a form */}
      <div role="group" aria-labelledby={labelId} className="grid gap-2">
        <span id={labelId} className="text-[0.9375rem] font-semibold text-navy">
          Quick amounts
        </span>
        <div className="grid grid-cols-3 gap-2 xl:grid-cols-6">
          {[...quick, ...owed].map(({ cents, label }) => (
            <Button
              key={label}
              variant="secondary"
              aria-pressed={cents === chosen}
              className={classNames(
                'px-2 tabular-nums aria-pressed:border-navy aria-pressed:bg-navy aria-pressed:text-white not-disabled:aria-pressed:hover:bg-navy',
                label.startsWith('Balance') && 'col-span-full',
              )}
              onClick={() => checkout.setAmount(toDollarText(cents))}
            >
              {label}
            </Button>
          ))}
        </div>
      </div>
      <MoneyField
        ref={checkout.amountField}
        label="Custom amount"
        min="1"
        step="0.01"
        required
        placeholder="0.00"
        value={checkout.amount}
        onChange={event => checkout.setAmount(event.target.value)}
        error={checkout.error('amount')}
      />
    </div>
  )
}

function Summary({ checkout }: { checkout: Checkout }) {
  const { amountCents, feeCents } = checkout
  return (
    <section aria-label="Summary" aria-live="polite" className="rounded-control bg-canvas p-4">
      <dl className="grid gap-2">
        <Line label="Amount" cents={amountCents} />
        <Line label="Card fee" cents={feeCents} />
        <Line label="Total" cents={amountCents + feeCents} strong />
      </dl>
    </section>
  )
}

function Line({ label, cents, strong = false }: { label: string; cents: number; strong?: boolean }) {
  return (
    <div
      className={classNames(
        'flex justify-between gap-4 tabular-nums',
        strong ? 'border-t border-line pt-2 text-lg font-semibold text-navy' : 'text-ink',
      )}
    >
      <dt>{label}</dt>
      <dd>{formatCents(cents)}</dd>
    </div>
  )
}
