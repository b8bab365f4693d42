import type { FormEvent } from 'react'
import { isBooked } from '../../../../domain/bookings/application-status.ts'
import { tenantStep } from '../../../../domain/bookings/tenant-step.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { noBreak } from '../../../../domain/common/no-break.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { minCheckoutCents } from '../../../../domain/money/payment.ts'
import { api, type Outputs } from '../../../api/api.ts'
import {
  BalanceSummary,
  OnItsWay,
  useOutstandingBalance,
} from '../../../features/payments/balance-summary.tsx'
import { TenantPlan } from '../../../features/payments/plan-table.tsx'
import { useDay } from '../../../features/stays/today.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { PlanChoice, TypeAndAmount } from './amount-choice.tsx'
import { PayButtons } from './pay-buttons.tsx'
import { isSettled, useAccount, usePlan, useRestDue } from './pay-target.ts'
import { useCheckout } from './use-checkout.ts'

type Options = Outputs['payments']['options']
type Checkout = ReturnType<typeof useCheckout>
type PaymentFormProps = { options: Options; applicationId: string | undefined }

/** The form to choose what to pay; it redirects to the provider's page. */
export function PaymentForm({ options, applicationId }: PaymentFormProps) {
  const checkout = useCheckout(options, applicationId)
  const { application, overpayment, plan, warning } = checkout
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isBank = submitter?.getAttribute('value') === 'us_bank_account'
    void checkout.proceed(isBank ? 'us_bank_account' : 'card')
  }
  const isFixed = applicationId !== undefined || options.applications.length === 1
  const isPaid = isFixed && application?.balance.label === 'Paid in full' && isSettled(checkout)
  const fields = <PaymentFields checkout={checkout} options={options} isTold={isPaid} />
  return (
    <>
      <ProcessingNotice payments={checkout.processing} />
      <Card aria-label="Payment">
        {isPaid && <PaidHeader application={application} />}
        <CardBody>
          <form noValidate onSubmit={submit} className="grid gap-6">
            {!isPaid && <ApplicationChoice checkout={checkout} options={options} isFixed={isFixed} />}
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
      {overpayment.isAsked && warning && (
        <OverpayDialog
          warning={warning}
          amountCents={checkout.amountCents}
          onConfirm={overpayment.confirm}
          onClose={overpayment.cancel}
        />
      )}
    </>
  )
}

/** A notice about bank account payments that are processing. */
function ProcessingNotice({ payments }: { payments: Checkout['processing'] }) {
  if (payments.length === 0) return null
  const sum = formatCents(payments.reduce((cents, { amount }) => cents + amount, 0))
  return (
    <Notice
      tone="info"
      title={
        payments.length === 1 ? `A payment of ${sum} is on its way` : `Payments of ${sum} are on their way`
      }
    >
      A payment from a bank account takes up to 4 business days. You do not need to pay it again.
    </Notice>
  )
}

type FieldsProps = { checkout: Checkout; options: Options; isTold: boolean }

function PaymentFields({ checkout, options, isTold }: FieldsProps) {
  const { offers } = checkout
  const { data } = api.site.waysToPay.useQuery()
  const hasOtherWays = options.bankPayments || (data?.waysToPay.length ?? 0) > 0
  if (isSettled(checkout)) {
    const isOnItsWay = checkout.processing.length > 0 && !isTold
    return isOnItsWay ? null : <Settlement applicationId={checkout.application?.id} isTold={isTold} />
  }
  const tooLittleCents = leftBelowMinimum(checkout)
  if (tooLittleCents !== undefined) {
    return (
      <Notice tone="info" title={`${formatCents(tooLittleCents)} is left to pay`}>
        Less than {formatCents(minCheckoutCents)} cannot be paid here. Please pay in another way.
      </Notice>
    )
  }
  return (
    <>
      {checkout.record && checkout.isDepositFirst && <DueWhen record={checkout.record} />}
      {offers ? <PlanChoice checkout={checkout} offers={offers} /> : <TypeAndAmount checkout={checkout} />}
      <PayButtons checkout={checkout} />
      <div className="grid gap-2">
        <p className="text-[0.9375rem] wrap-anywhere text-muted">
          {options.feeBasisPoints > 0 &&
            `Card payments carry a ${options.feeBasisPoints / 100}% fee. ${hasOtherWays ? 'All other ways to pay have none. ' : ''}`}
          Your receipt goes to {options.email}.
        </p>
        <Disclosure summary="Add a description" open={checkout.error('description') !== undefined}>
          <TextAreaField
            label="Description (optional)"
            rows={2}
            maxLength={500}
            value={checkout.description}
            onChange={event => checkout.setDescription(event.target.value)}
            error={checkout.error('description')}
          />
        </Disclosure>
      </div>
    </>
  )
}

type DueWhenProps = { record: Outputs['applications']['get']['application'] }

/** The deposit of an accepted offer with its day, and when the rest is due. */
function DueWhen({ record }: DueWhenProps) {
  const step = tenantStep(record, useDay(), useOutstandingBalance(record.id).outstanding)
  return step && <Notice title={step.title}>{step.text}</Notice>
}

/** The title of a booking that is paid. */
function PaidHeader({ application }: { application: Options['applications'][number] }) {
  const { applicationNumber, balance, startDate, endDate } = application
  return (
    <CardHeader
      title={startDate && endDate ? formatShortStay({ start: startDate, end: endDate }) : applicationNumber}
      subtitle={startDate && endDate && applicationNumber}
      action={<Badge tone="green">{balance.label}</Badge>}
    />
  )
}

/** How the booking adds up, once it is paid. */
function Settlement({ applicationId, isTold }: { applicationId: string | undefined; isTold: boolean }) {
  const { data } = useAccount(applicationId)
  return data && <BalanceSummary summary={data.summary} charges={data.charges} isTold={isTold} />
}

/** The open amount in cents, if it is too small for a payment here; otherwise undefined. */
function leftBelowMinimum({ offers, open, plan }: Checkout): number | undefined {
  if (offers) return offers.length === 0 ? plan.data?.pay?.next?.amountCents : undefined
  if (open.rentCents === null) return undefined
  const isTooLittle = Math.max(open.depositCents, open.rentCents) < minCheckoutCents
  return isTooLittle ? open.depositCents + open.rentCents : undefined
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
  const what = isBooked(application.status) ? 'booking' : 'application'
  if (isFixed) {
    return (
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <p className="text-[0.9375rem] text-muted">For your {what}</p>
          <p className="font-semibold text-navy">{nameOf(application)}</p>
        </div>
        <BalanceNow checkout={checkout} application={application} />
      </div>
    )
  }
  return (
    <div className="grid gap-4">
      <SelectField
        label={`For which ${what}?`}
        value={application.id}
        onChange={event => checkout.setApplicationId(event.target.value)}
        error={checkout.error('applicationId')}
      >
        {options.applications.map(option => (
          <option key={option.id} value={option.id}>
            {nameOf(option)}
          </option>
        ))}
      </SelectField>
      <BalanceNow checkout={checkout} application={application} />
    </div>
  )
}

type BalanceNowProps = { application: Options['applications'][number]; checkout: Checkout }

/** The current balance. */
function BalanceNow({ application, checkout }: BalanceNowProps) {
  const { balance, onItsWayCents, status } = application
  const restDue = useRestDue(application)
  const { amountCents, balanceCents, label } = balance
  // The sum below says it.
  if (label === 'Paid in full') return null
  if (balanceCents === 0)
    return (
      <p className="text-[0.9375rem] text-muted">
        {status === 'pending' ? 'Nothing is owed until we have approved. You can pay ahead.' : label}
      </p>
    )
  if (balanceCents > 0 && onItsWayCents > 0)
    return <OnItsWay label={label} balanceCents={balanceCents} onItsWayCents={onItsWayCents} />
  return (
    <div className="max-sm:flex max-sm:w-full max-sm:items-baseline max-sm:justify-between max-sm:gap-4 sm:text-right">
      <p className="text-[0.9375rem] text-muted">
        {label}
        {restDue && !checkout.isDepositFirst && noBreak(`, ${restDue}`)}
      </p>
      <p className="text-2xl leading-tight font-semibold text-navy tabular-nums">
        {formatCents(amountCents)}
      </p>
    </div>
  )
}

function nameOf({ applicationNumber, startDate, endDate }: Options['applications'][number]): string {
  return startDate && endDate
    ? `${applicationNumber}, ${formatShortStay({ start: startDate, end: endDate })}`
    : applicationNumber
}

type OverpayDialogProps = { warning: string; amountCents: number; onConfirm: () => void; onClose: () => void }

/** Asks for confirmation before the tenant pays more than is owed. */
function OverpayDialog({ amountCents, onClose, onConfirm, warning }: OverpayDialogProps) {
  return (
    <ConfirmDialog
      open
      title={`Pay ${formatCents(amountCents)}?`}
      body={warning}
      confirmLabel={`Pay ${formatCents(amountCents)}`}
      cancelLabel="Change the amount"
      onConfirm={onConfirm}
      onCancel={onClose}
    />
  )
}

/** The payment plan of an application; renders nothing if there is none. */
export function PlanCard({ applicationId }: { applicationId: string | undefined }) {
  const { data } = usePlan(applicationId)
  if (!data?.plan) return null
  return (
    <Card aria-label="Payment plan">
      <CardHeader title="Payment plan" />
      <CardBody className="sm:p-2">
        <TenantPlan instalments={data.instalments} />
      </CardBody>
    </Card>
  )
}
