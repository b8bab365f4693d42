import { type FormEvent, useId } from 'react'
import { formatCents } from '../../../domain/money.ts'
import { minCheckoutCents, rentQuickAmountsCents } from '../../../domain/payment.ts'
import { formatStay } from '../../../domain/stay.ts'
import type { Outputs } from '../../api/api.ts'
import { parseDollars, toDollarText } from '../../features/payments/dollar-amount.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { RadioGroupField, SelectField } from '../../ui/choice-fields.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { AmountField } from './amount-field.tsx'
import { PayButtons } from './pay-buttons.tsx'
import { PlanCard } from './plan-card.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { useCheckout } from './use-checkout.ts'

type Options = Outputs['payments']['options']
type Checkout = ReturnType<typeof useCheckout>
type PaymentFormProps = { options: Options; applicationId: string | undefined }

/** What to pay and for what; it leads to the provider's page. */
export function PaymentForm({ options, applicationId }: PaymentFormProps) {
  const checkout = useCheckout(options, applicationId)
  const { application, plan } = checkout
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isBank = submitter?.getAttribute('value') === 'us_bank_account'
    void checkout.proceed(isBank ? 'us_bank_account' : 'card')
  }
  const fields = <PaymentFields checkout={checkout} options={options} />
  return (
    <>
      <ComingNotice payments={checkout.coming} />
      <Card aria-label="Payment">
        <CardHeader
          title="Payment"
          subtitle={`By card${checkout.hasBank ? ' or from a bank account' : ''}, on our payment provider’s secure page`}
        />
        <CardBody>
          <form noValidate onSubmit={submit} className="grid gap-6">
            <ApplicationChoice checkout={checkout} options={options} isFixed={applicationId !== undefined} />
            {application ? (
              <QueryView
                query={plan}
                loading={<Skeleton className="h-[32rem] w-full" />}
                error="Failed to load the payment plan"
              >
                {() => fields}
              </QueryView>
            ) : (
              fields
            )}
          </form>
        </CardBody>
      </Card>
      <PlanCard applicationId={application?.id} />
    </>
  )
}

/** What is on its way from a bank account. */
function ComingNotice({ payments }: { payments: Checkout['coming'] }) {
  if (payments.length === 0) return null
  const sum = formatCents(payments.reduce((cents, { amount }) => cents + amount, 0))
  return (
    <Notice
      tone="info"
      title={
        payments.length === 1 ? `A payment of ${sum} is on its way` : `Payments of ${sum} are on their way`
      }
    >
      A payment from a bank account takes up to 4 business days. You need not pay it again.
    </Notice>
  )
}

type FieldsProps = { checkout: Checkout; options: Options }

function PaymentFields({ checkout, options }: FieldsProps) {
  const { offers, plan } = checkout
  if (offers?.length === 0) {
    const next = plan.data?.pay?.next
    return next ? (
      <Notice tone="info" title={`${formatCents(next.amountCents)} is left to pay`}>
        Less than {formatCents(minCheckoutCents)} cannot be paid here. Please pay in one of the ways below.
      </Notice>
    ) : (
      <Notice tone="success" title="Nothing is left to pay">
        All payments of your payment plan are paid or on their way.
      </Notice>
    )
  }
  return (
    <>
      {offers ? <PlanChoice checkout={checkout} offers={offers} /> : <TypeAndAmount checkout={checkout} />}
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
        Card payments carry a {options.feeBasisPoints / 100}% fee.{' '}
        {checkout.hasBank
          ? 'A bank account and the other ways to pay below cost no fee.'
          : 'The ways to pay below cost no fee.'}
      </Notice>
      <PayButtons checkout={checkout} />
    </>
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
  const { depositCents, depositDueCents, depositState, isDepositClosed, type } = checkout
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
            hint: isDepositClosed ? depositState : formatCents(depositDueCents),
            disabled: isDepositClosed,
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
      <AmountField checkout={checkout} label="Custom amount" />
    </div>
  )
}
