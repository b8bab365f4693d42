import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatCents } from '../../../../domain/common/money.ts'
import {
  keptCents,
  paymentTypeLabels,
  type RefundPurpose,
  refundPurposes,
  returnableCents,
} from '../../../../domain/money/ledger.ts'
import { manualTypes, moneyReturnKinds, validAmountMessage } from '../../../../domain/money/payment.ts'
import {
  manualPaymentInput,
  recordReturnInput,
  transferInput,
} from '../../../../domain/money/payment-input.ts'
import { api, newId, type Outputs } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { asCents, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { paidWith } from '../../../features/payments/payment-cells.tsx'
import { toLedgerRow } from '../../../features/payments/payment-view.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit, useReadAgain } from '../../../forms/change.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useFormSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { ConfirmRefund } from '../revenue/confirm-refund.tsx'
import {
  type Application,
  isBankPayment,
  type Modal,
  type OpenModal,
  type Payment,
  refundableCents,
  refundLabel,
  useCharges,
  useCurrentTransfer,
  useOwnerDeposit,
  usePayments,
  usePlan,
  useTransfer,
} from './application-data.ts'
import { PrivateNotesField } from './dialog-fields.tsx'

type RecordReturnDialogProps = {
  application: Application
  /** The initial amount. */
  suggestedCents?: number | undefined
  /** Whether the initial type is 'deposit return'. */
  isDeposit?: boolean | undefined
  onClose: () => void
}

const kindLabels: Record<(typeof moneyReturnKinds)[number], string> = {
  refund: 'Refund of a payment',
  deposit_return: 'Deposit returned',
  deduction: 'Kept from the deposit',
}

/** Records money that was returned by check, cash or bank transfer, or kept from the deposit. */
export function RecordReturnDialog({
  application,
  isDeposit = false,
  suggestedCents,
  onClose,
}: RecordReturnDialogProps) {
  const today = useToday()
  const recordReturn = api.payments.recordReturn.useMutation()
  const [requestId] = useState(newId)
  const form = useZodForm(recordReturnInput, {
    applicationId: application.id,
    requestId,
    kind: isDeposit ? 'deposit_return' : 'refund',
    date: today,
    checkNumber: '',
    reason: '',
  })
  const isDeduction = useWatch({ control: form.control, name: 'kind' }) === 'deduction'
  const submission = useDialogSubmit(form, 'Failed to record the money given back', onClose, async input => {
    await recordReturn.mutateAsync(input)
    return isDeduction ? 'Deduction recorded' : 'Money given back was recorded'
  })
  return (
    <FormDialog
      {...submission}
      title="Give money back"
      description="Records what you paid back by check, cash or bank transfer. Refund a card payment from its own row."
      submitLabel="Save"
    >
      <ReturnFields form={form} application={application} suggestedCents={suggestedCents} />
    </FormDialog>
  )
}

type ReturnFieldsProps<Output> = Omit<RecordReturnDialogProps, 'isDeposit' | 'onClose'> & {
  form: ZodForm<z.input<typeof recordReturnInput>, Output>
}

function ReturnFields<Output>({ form, application, suggestedCents }: ReturnFieldsProps<Output>) {
  const today = useToday()
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  const isDeduction = kind === 'deduction'
  const isWatched = Boolean(useOwnerDeposit(application.id).data)
  const rows = usePayments(application).data?.payments.map(toLedgerRow)
  const left = rows && formatCents(returnableCents(kind, rows))
  const leftToRefund = `${left} ${rows && keptCents(rows) > 0 ? 'is not kept' : 'was paid'}.`
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="What it is"
          required
          {...field('kind', {
            onChange: ({ target }) => {
              if (target.value === 'deduction') form.setValue('checkNumber', '')
              if (target.value !== 'refund' && rows)
                suggest(form, returnableCents(target.value, rows), [suggestedCents ?? 0])
            },
          })}
        >
          {moneyReturnKinds.map(
            kind =>
              // While deposits are watched it is kept on its card.
              (kind !== 'deduction' || !isWatched) && (
                <option key={kind} value={kind}>
                  {kindLabels[kind]}
                </option>
              ),
          )}
        </SelectField>
        <MoneyField
          label="Amount"
          required
          defaultValue={suggestedCents === undefined ? undefined : toDollarText(suggestedCents)}
          hint={left && (kind === 'refund' ? leftToRefund : `${left} is left of the deposit.`)}
          {...field('amount', asCents)}
        />
        <TextField
          label="Date"
          type="date"
          max={today}
          {...field('date', { setValueAs: text => text || undefined })}
        />
        {!isDeduction && <TextField label="Check number" autoComplete="off" {...field('checkNumber')} />}
      </div>
      <TextField
        label={isDeduction ? 'What the deduction is for' : 'Reason'}
        required={isDeduction}
        autoComplete="off"
        hint="The tenant sees this."
        {...field('reason')}
      />
    </>
  )
}

type ManualPaymentDialogProps = { application: Application; onClose: () => void }

/** Records a payment by check, cash or bank transfer. */
export function ManualPaymentDialog({ application, onClose }: ManualPaymentDialogProps) {
  const today = useToday()
  const add = api.payments.addManual.useMutation()
  const [requestId] = useState(newId)
  const open = useOpenCents(application)
  const order = ['deposit', 'rent'] as const
  const first = usePlan(application).data?.pay?.next?.paymentType ?? order.find(type => open[type] > 0)
  const form = useZodForm(manualPaymentInput, {
    ...(first && { paymentType: first }),
    paymentDate: today,
    checkNumber: '',
    notes: '',
    applicationId: application.id,
    requestId,
  })
  const field = fieldPropsOf(form)
  const { depositCents = 0, depositDueCents = 0 } = useCharges(application).data?.summary ?? {}
  const [amount, type] = useWatch({ control: form.control, name: ['amount', 'paymentType'] })
  const openDeposit = Math.max(0, depositDueCents)
  const isAbove = type === 'deposit' && depositCents > 0 && Number(amount) > openDeposit
  const submission = useDialogSubmit(form, 'Failed to add manual payment', onClose, async payment => {
    await add.mutateAsync(payment)
    return 'Manual payment added successfully!'
  })
  return (
    <FormDialog {...submission} title="Add Manual Payment" submitLabel="Add payment">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField
          label="Amount"
          required
          hint={
            isAbove ? (
              <span className="text-red">
                {formatCents(openDeposit)} of the deposit is owed. Enter the rest as rent.
              </span>
            ) : (
              open.other > 0 && `${formatCents(open.other)} is owed.`
            )
          }
          defaultValue={first && toDollarText(open[first])}
          {...field('amount', asCents)}
        />
        <SelectField
          label="Payment type"
          required
          {...field('paymentType', {
            onChange: ({ target }) =>
              suggest(form, open[target.value as keyof typeof open] ?? 0, Object.values(open)),
          })}
        >
          <option value="">Select a type</option>
          {manualTypes.map(type => (
            <option key={type} value={type}>
              {paymentTypeLabels[type]}
            </option>
          ))}
        </SelectField>
        <TextField label="Payment date" type="date" max={today} {...field('paymentDate')} />
        <TextField label="Check number" autoComplete="off" {...field('checkNumber')} />
      </div>
      <PrivateNotesField {...field('notes')} />
    </FormDialog>
  )
}

/** What is still to be paid, by the type that a payment for it has; the next installment counts alone (LOOK-82). */
function useOpenCents(application: Application): Record<(typeof manualTypes)[number], number> {
  const { balanceCents = 0, depositDueCents = 0 } = useCharges(application).data?.summary ?? {}
  const next = usePlan(application).data?.pay?.next
  const rent = Math.max(0, balanceCents - depositDueCents)
  const open = { rent, deposit: Math.max(0, depositDueCents), other: Math.max(0, balanceCents) }
  return next ? { ...open, [next.paymentType]: next.amountCents } : open
}

type AmountForm = { getValues: (name: 'amount') => unknown; setValue: (name: 'amount', text: never) => void }

/** Puts an amount into the field, unless the owner has typed one that was not suggested. */
function suggest(form: AmountForm, cents: number, suggested: readonly number[]) {
  const typed = form.getValues('amount')
  const isFree = typed === undefined || suggested.includes(Number(typed))
  if (isFree && cents > 0) form.setValue('amount', toDollarText(cents) as never)
}

type TransferDialogProps = { application: Application; onClose: () => void }

/** Moves money paid on this application to another application of the same tenant that has a balance due. */
export function TransferDialog({ application, onClose }: TransferDialogProps) {
  const available = useCurrentTransfer(application)
  const { query, availableCents, isPossible } = available
  const transfer = api.payments.transfer.useMutation()
  const [requestId] = useState(newId)
  const form = useZodForm(transferInput, {
    fromApplicationId: application.id,
    toApplicationId: '',
    transferNotes: '',
    requestId,
  })
  const submission = useDialogSubmit(form, 'Transfer failed', onClose, async input => {
    await transfer.mutateAsync(input)
    return 'Transfer completed successfully!'
  })
  return (
    <FormDialog
      {...submission}
      title="Transfer Amount"
      submitLabel={isPossible ? 'Transfer' : undefined}
      busyLabel="Transferring..."
      cancelLabel={query.data && !isPossible ? 'Close' : 'Cancel'}
    >
      <QueryView
        query={query}
        loading="Loading applications..."
        error="Failed to fetch available applications"
        empty={() => !isPossible && <NotPossible availableCents={availableCents} />}
      >
        {() => <TransferFields form={form} number={application.applicationNumber} available={available} />}
      </QueryView>
    </FormDialog>
  )
}

type TransferFieldsProps<Output> = {
  form: ZodForm<z.input<typeof transferInput>, Output>
  /** The number of the application that currently has the money. */
  number: string
  available: ReturnType<typeof useCurrentTransfer>
}

function TransferFields<Output>({ form, number, available }: TransferFieldsProps<Output>) {
  const { availableCents, availableOfKind, destinations } = available
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  return (
    <>
      <SelectField label="Destination application" required {...field('toApplicationId')}>
        <option value="">Select an application</option>
        {destinations.map(({ applicationId, applicationNumber, totalBalance }) => (
          <option key={applicationId} value={applicationId}>
            {applicationNumber}, {formatCents(totalBalance)} owed
          </option>
        ))}
      </SelectField>
      {availableOfKind.deposit > 0 && availableOfKind.other > 0 && (
        <SelectField
          label="What to move"
          hint={kind ? undefined : 'The deposit goes last.'}
          {...field('kind', { setValueAs: text => text || undefined, deps: 'depositAmount' })}
        >
          <option value="">Deposit and other payments</option>
          <option value="deposit">The deposit</option>
          <option value="other">Other payments</option>
        </SelectField>
      )}
      <MoneyField
        label="Amount"
        required
        hint={`Up to ${formatCents(kind ? availableOfKind[kind] : availableCents)} was paid on ${number}${kind ? sharesOf[kind] : ''}.`}
        {...field('depositAmount', asCents)}
      />
      <PrivateNotesField {...field('transferNotes')} />
    </>
  )
}

const sharesOf = { deposit: ' as deposit', other: ' besides the deposit' }

const NotPossible = ({ availableCents }: { availableCents: number }) => (
  <Notice title="Nothing can be transferred">
    {availableCents > 0
      ? 'This tenant has no other application with a balance to pay.'
      : 'Nothing was paid on this application.'}
  </Notice>
)

/** Refunds all or part of what can still be refunded of a card or bank account payment. */
export function CardRefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const leftCents = refundableCents(payment)
  const isBank = isBankPayment(payment)
  const unnamed = isBank ? 'the bank account' : 'the card'
  const source = payment.cardLast4 ? paidWith(payment) : unnamed
  const refund = useCardRefund(payment, source, onClose)
  const isDeposit = payment.paymentType === 'deposit'
  const form = useZodForm(() => refundForm(leftCents), {
    share: 'whole',
    ...(isDeposit && { purpose: 'deposit_return' }),
  })
  const field = fieldPropsOf(form)
  const { submit } = useFormSubmit(
    form,
    async ({ purpose, ...choice }) =>
      refund.ask({ cents: choice.share === 'part' ? choice.totalCents : leftCents, purpose }),
    () => undefined,
  )
  const share = useWatch({ control: form.control, name: 'share' })
  return (
    <>
      <FormDialog
        title={refundLabel(payment)}
        description={`Up to ${formatCents(leftCents)} of this payment can go back to ${source}${isBank ? '.' : ', the card fee included.'}`}
        submit={submit}
        busy={false}
        formError={refund.formError}
        submitLabel="Refund"
        danger
        onClose={onClose}
      >
        <RadioGroupField
          label="How much"
          cards
          disabled={refund.isUncertain}
          options={[
            { value: 'whole', label: 'All of it', hint: formatCents(leftCents) },
            { value: 'part', label: 'A part', hint: 'The rest stays paid' },
          ]}
          {...field('share')}
        />
        {share === 'part' && (
          <MoneyField
            label="Amount to refund"
            required
            readOnly={refund.isUncertain}
            hint={!isBank && 'Split in proportion between the amount and the card fee.'}
            {...field('totalCents', { ...asCents, shouldUnregister: true })}
          />
        )}
        {isDeposit && (
          <RadioGroupField
            label="What it is"
            disabled={refund.isUncertain}
            options={[
              { value: 'deposit_return', label: 'It goes back to the tenant' },
              { value: 'refund', label: 'Correction: the deposit is owed again' },
            ]}
            {...field('purpose')}
          />
        )}
      </FormDialog>
      {refund.asked && (
        <ConfirmRefund
          amountCents={refund.asked.cents}
          source={source}
          busy={refund.isSending}
          onConfirm={() => void refund.send()}
          onCancel={() => refund.ask(undefined)}
        />
      )}
    </>
  )
}

/** Sends the confirmed refund. If the outcome is unknown, only the same refund can be sent again. */
function useCardRefund(payment: Payment, source: string, onDone: () => void) {
  const refund = api.payments.refund.useMutation()
  const readAgain = useReadAgain()
  // One idempotency key per dialog, so that a retry does not refund twice.
  const [requestId] = useState(newId)
  const [asked, ask] = useState<{ cents: number; purpose: RefundPurpose | undefined }>()
  const [isSending, setIsSending] = useState(false)
  const [formError, setFormError] = useState<string>()
  const [isUncertain, setIsUncertain] = useState(false)

  const send = async () => {
    if (!asked) return
    const { cents, purpose } = asked
    setIsSending(true)
    const loading = toast.loading('Refunding...')
    try {
      await refund.mutateAsync({ paymentId: payment.id, totalCents: cents, requestId, purpose })
      toast.success(`${formatCents(cents)} refunded`, `To ${source}`, loading)
      // The dialog that opens next shows the remaining amount.
      await readAgain()
      onDone()
    } catch (error) {
      const failure = failureOf(error)
      setFormError(toastFailure(error, 'Refund failed', loading).message)
      setIsUncertain(failure.kind === 'broken' || failure.status >= 500)
      ask(undefined)
      void readAgain()
    } finally {
      setIsSending(false)
    }
  }
  return { asked, ask, send, isSending, formError, isUncertain }
}

function refundForm(leftCents: number) {
  const totalCents = z
    .number(validAmountMessage)
    .int(validAmountMessage)
    .min(1, validAmountMessage)
    .max(leftCents, `At most ${formatCents(leftCents)} can be refunded.`)
  // Undefined for what is not a deposit.
  const purpose = z.enum(refundPurposes).optional()
  return z.discriminatedUnion('share', [
    z.object({ share: z.literal('whole'), purpose }),
    z.object({ share: z.literal('part'), totalCents, purpose }),
  ])
}

type ToReturn = Outputs['applications']['adminStatusPreview']['paymentsToRefund'][number]

const returnTo = { kind: 'return-options' } as const
const methodLabels = { card: 'by card', manual: 'by hand', transfer: 'by transfer' }

type ReturnOptionsDialogProps = { application: Application; open: OpenModal; onClose: () => void }

/** The ways to return the money of a declined application, payment by payment. */
export function ReturnOptionsDialog({ application, open, onClose }: ReturnOptionsDialogProps) {
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  const payments = usePayments(application).data?.payments ?? []
  const transfer = useTransfer(application)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Give the money back"
      footer={
        <>
          {(transfer.isPossible || transfer.query.isError) && (
            <Button variant="secondary" onClick={() => open({ kind: 'transfer', returnTo })}>
              Transfer Amount
            </Button>
          )}
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      <QueryView
        query={preview}
        loading="Loading..."
        error="Failed to load payment history"
        empty={({ paidCents }) =>
          paidCents <= 0 && (
            <Notice tone="success">Nothing of the tenant’s money is left on this application.</Notice>
          )
        }
      >
        {({ paidCents, paymentsToRefund }) => (
          <>
            <p className="mb-3">
              The application is declined, and <strong>{formatCents(paidCents)}</strong> of the tenant’s money
              is still on it.
            </p>
            <ul className="divide-y divide-line">
              {paymentsToRefund.map(toReturn => (
                <PaymentToReturn
                  key={toReturn.id}
                  toReturn={toReturn}
                  payment={payments.find(({ id }) => id === toReturn.id)}
                  paidCents={paidCents}
                  open={open}
                />
              ))}
            </ul>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

type PaymentToReturnProps = {
  toReturn: ToReturn
  /** Undefined while loading. */
  payment: Payment | undefined
  /** The amount paid and not returned yet. */
  paidCents: number
  open: OpenModal
}

function PaymentToReturn({ toReturn, payment, paidCents, open }: PaymentToReturnProps) {
  const { amountCents, method, type } = toReturn
  const byCard = method === 'card' && payment
  const suggestedCents = Math.min(amountCents, paidCents)
  const modal: Modal = byCard
    ? { kind: 'card-refund', payment, returnTo }
    : { kind: 'record-return', suggestedCents, returnTo }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2.5">
      <span>
        <span className="font-semibold text-navy tabular-nums">{formatCents(amountCents)}</span>{' '}
        <span className="text-muted">
          {paymentTypeLabels[type]},{' '}
          {payment && isBankPayment(payment) ? 'from a bank account' : methodLabels[method]}
        </span>
      </span>
      <Button size="sm" variant="secondary" onClick={() => open(modal)}>
        {byCard ? refundLabel(payment) : 'Record money given back'}
      </Button>
    </li>
  )
}
