import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { addDays, formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { depositMessages, itemCategories, itemCategoryLabels } from '../../../../domain/money/deposit-case.ts'
import {
  caseForm,
  itemForm,
  letterForm,
  returnForm,
  statementForm,
} from '../../../../domain/money/deposit-input.ts'
import { api, newId } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { newestStatement, type OwnerDeposit, whereTo } from '../../../features/deposits/deposit-view.ts'
import { Ways } from '../../../features/deposits/ways.tsx'
import { AmountList } from '../../../features/payments/amount-list.tsx'
import { asCents, asNeededCents, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit, useReadAgain } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { type Application, type Modals, type OpenModal, useOwnerDeposit } from './application-data.ts'

type DialogProps = { onClose: () => void }
type DepositDialogProps = DialogProps & { deposit: OwnerDeposit }

const asOptional = { setValueAs: (text: string) => text || undefined }

/** The day on which the tenant left, and the rule. */
export function DepositCaseDialog({ deposit, onClose }: DepositDialogProps) {
  const { applicationId, rule, vacatedOn } = deposit
  const rules = api.deposits.rules.useQuery().data?.rules ?? [rule]
  const change = api.deposits.change.useMutation()
  const form = useZodForm(caseForm, { vacatedOn, ruleId: rule.id })
  const field = fieldPropsOf(form)
  const ruleId = useWatch({ control: form.control, name: 'ruleId' })
  const submission = useDialogSubmit(form, 'Failed to save the deposit', onClose, async typed => {
    const { dirtyFields } = form.formState
    await change.mutateAsync({
      applicationId,
      ...(dirtyFields.vacatedOn && { vacatedOn: typed.vacatedOn }),
      ...(dirtyFields.ruleId && { ruleId: typed.ruleId }),
    })
    return 'Deposit saved'
  })
  // An archived rule stays with its deposits.
  const choices = rules.some(({ id }) => id === rule.id) ? rules : [rule, ...rules]
  return (
    <FormDialog
      {...submission}
      title="Security Deposit"
      description="All dates count from the day on which the tenant left."
      submitLabel="Save"
    >
      <TextField
        label="The tenant left on"
        type="date"
        hint="Empty: the last day of the stay."
        {...field('vacatedOn', { setValueAs: text => text || null })}
      />
      <SelectField
        label="Rule"
        hint={choices.find(({ id }) => id === ruleId)?.preset && depositMessages.presetHint}
        {...field('ruleId')}
      >
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  )
}

/** Adds what is claimed of a deposit, or changes it. */
export function DepositItemDialog({ applicationId, item, onClose }: DialogProps & Modals['deposit-item']) {
  const add = api.deposits.addItem.useMutation()
  const change = api.deposits.changeItem.useMutation()
  const form = useZodForm(itemForm, { label: '', ...item })
  const field = fieldPropsOf(form)
  const category = useWatch({ control: form.control, name: 'category' })
  const submission = useDialogSubmit(form, 'Failed to save the item', onClose, async typed => {
    if (item) await change.mutateAsync({ itemId: item.id, ...typed })
    else await add.mutateAsync({ applicationId, ...typed })
    return item ? 'Item changed' : 'Item added'
  })
  return (
    <FormDialog
      {...submission}
      title={item ? 'Change item' : 'Add item'}
      description="The tenant sees it once you send a statement. Photos can be added afterwards."
      submitLabel={item ? 'Save' : 'Add item'}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="What it is"
          required
          hint={category === 'unpaid' && 'Late fees and damage with tax: add them as charges first.'}
          {...field('category')}
        >
          <option value="">Select one</option>
          {itemCategories.map(category => (
            <option key={category} value={category}>
              {itemCategoryLabels[category]}
            </option>
          ))}
        </SelectField>
        <MoneyField
          label="Amount"
          required
          defaultValue={item && toDollarText(item.amountCents)}
          {...field('amountCents', asCents)}
        />
      </div>
      <TextField
        label="Label"
        required
        autoComplete="off"
        hint="The tenant sees this, such as “Broken lamp”."
        {...field('label')}
      />
    </FormDialog>
  )
}

type Calls = ReturnType<typeof api.useUtils>['client']['deposits']

const removals = {
  item: {
    verb: 'Remove',
    body: 'It is no longer claimed. A statement that names it keeps it.',
    done: 'Item removed',
    run: ({ removeItem }: Calls, itemId: string) => removeItem.mutate({ itemId }),
  },
  photo: {
    verb: 'Remove',
    body: 'It is set aside. No statement will name it.',
    done: 'Photo removed',
    run: ({ removePhoto }: Calls, photoId: string) => removePhoto.mutate({ photoId }),
  },
  letter: {
    verb: 'Void',
    body: 'It was not sent. Its PDF stays in the list.',
    done: 'Letter voided',
    run: ({ voidLetter }: Calls, letterId: string) => voidLetter.mutate({ letterId }),
  },
}

export function DepositRemoveDialog({ id, name, onClose, what }: DialogProps & Modals['deposit-remove']) {
  const { client } = api.useUtils()
  const { body, done, run, verb } = removals[what]
  return (
    <ConfirmAction
      title={`${verb} ${name}?`}
      body={body}
      confirmLabel={verb}
      busyLabel={verb === 'Void' ? 'Voiding...' : 'Removing...'}
      action={() => run(client.deposits, id).then(() => done)}
      failedText={`${name.charAt(0).toUpperCase()}${name.slice(1)} stays`}
      onClose={onClose}
    />
  )
}

type LetterDialogProps = DepositDialogProps & { application: Application }

/** Makes the PDF of the statement as a letter, before there is a tracking number. */
export function DepositLetterDialog({ application, deposit, onClose }: LetterDialogProps) {
  const print = api.deposits.printLetter.useMutation()
  const [requestId] = useState(newId)
  const form = useZodForm(letterForm, { requestId, address: addressOf(application) })
  const submission = useDialogSubmit(form, 'Failed to print the letter', onClose, async typed => {
    await print.mutateAsync({ ...typed, applicationId: deposit.applicationId })
    return 'Letter ready'
  })
  return (
    <FormDialog
      {...submission}
      title="Print the letter"
      description={`A PDF to send by certified mail. Printing stops no date: enter the tracking number under Send statement once it is sent.${
        deposit.rule.preset ? ` ${depositMessages.presetHint}` : ''
      }`}
      submitLabel="Print the letter"
      busyLabel="Printing..."
    >
      <TextAreaField
        label="Address"
        required
        rows={5}
        hint="As it stands on the envelope, in at most five lines."
        {...fieldPropsOf(form)('address')}
      />
    </FormDialog>
  )
}

function addressOf({ address, firstName, lastName }: Application): string {
  const { city, state, street, zipCode } = address
  return [`${firstName} ${lastName}`, street, [city, `${state} ${zipCode}`.trim()].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join('\n')
}

/** Sends the statement by email, or notes how it was sent by post. */
export function DepositStatementDialog({ deposit, onClose }: DepositDialogProps) {
  const { applicationId, claimedCents, letters, rule, vacatedOn } = deposit
  const today = useToday()
  const send = api.deposits.sendStatement.useMutation()
  const [requestId] = useState(newId)
  const printed = letters.filter(({ sentStatementId, voidedAt }) => !sentStatementId && !voidedAt)
  const form = useZodForm(statementForm, {
    requestId,
    how: rule.delivery,
    trackingNumber: '',
    sentOn: today,
    letterId: rule.delivery === 'post' ? printed.at(-1)?.id : undefined,
  })
  const field = fieldPropsOf(form)
  const [how, sentOn] = useWatch({ control: form.control, name: ['how', 'sentOn'] })
  const claimEnd = addDays(vacatedOn, rule.claimDays)
  const isLate = !newestStatement(deposit) && ((how === 'post' && sentOn) || today) > claimEnd
  const submission = useDialogSubmit(form, 'Failed to send the statement', onClose, async typed => {
    await send.mutateAsync({ ...typed, applicationId, seenClaimedCents: claimedCents })
    return 'Statement sent'
  })
  return (
    <FormDialog
      {...submission}
      title="Send statement"
      description={`${formatCents(claimedCents)} is claimed. The tenant gets an email with the PDF either way, and a statement never changes.`}
      submitLabel="Send statement"
      busyLabel="Sending..."
    >
      <RadioGroupField
        label="How it is sent"
        cards
        options={[
          { value: 'email', label: 'By email', hint: 'Today' },
          { value: 'post', label: 'By post', hint: 'You have sent it yourself' },
        ]}
        {...field('how', { onChange: () => form.setValue('letterId', undefined) })}
      />
      {how === 'post' && (
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField
            label="Tracking number"
            required
            autoComplete="off"
            {...field('trackingNumber', { shouldUnregister: true })}
          />
          <TextField
            label="Sent on"
            type="date"
            required
            min={vacatedOn}
            max={today}
            {...field('sentOn', { shouldUnregister: true })}
          />
          {printed.length > 0 && (
            <SelectField label="What was sent" {...field('letterId', asOptional)}>
              {printed.map(({ id, number }) => (
                <option key={id} value={id}>
                  Letter {number}
                </option>
              ))}
              <option value="">Not as a printed letter</option>
            </SelectField>
          )}
        </div>
      )}
      {how === 'email' && rule.delivery === 'post' && (
        <CheckboxField
          label="The tenant has agreed in writing to notices by email."
          {...field('emailAgreed', { shouldUnregister: true })}
        />
      )}
      {isLate && (
        <CheckboxField
          label={`Send it late: the time to claim ended on ${formatShortDate(claimEnd)}.`}
          hint="In many places nothing can be kept any more: ask a lawyer first."
          {...field('late', { shouldUnregister: true })}
        />
      )}
    </FormDialog>
  )
}

/** Keeps the items of the newest statement. Shows their current state, which can change while the dialog is open. */
export function DepositKeepDialog({ deposit: opened, onClose }: DepositDialogProps) {
  const deposit = useOwnerDeposit(opened.applicationId).data ?? opened
  const { applicationId, claimedCents, items } = deposit
  const amount = formatCents(claimedCents)
  const paysBill = items.some(({ category, keptAt }) => category === 'unpaid' && !keptAt)
  const isObjected = Boolean(newestStatement(deposit)?.objection)
  const keep = api.deposits.keep.useMutation()
  const form = useZodForm(() => keepForm(isObjected), { note: '' })
  const submission = useDialogSubmit(form, `Failed to keep ${amount}`, onClose, async ({ note }) => {
    await keep.mutateAsync({ applicationId, note, seenClaimedCents: claimedCents })
    return `Kept ${amount}`
  })
  return (
    <FormDialog
      {...submission}
      title={`Keep ${amount}?`}
      description={`What is kept cannot be changed afterwards.${paysBill ? ' What is kept as unpaid pays the bill.' : ''}`}
      submitLabel={`Keep ${amount}`}
      busyLabel="Keeping..."
      danger
    >
      <AmountList
        amounts={items
          .filter(({ keptAt }) => !keptAt)
          .map(({ amountCents, label }) => ({ label, cents: amountCents }))}
      />
      {isObjected && (
        <TextAreaField
          label="What was agreed or decided"
          required
          rows={3}
          hint="For you alone; the tenant does not see it."
          {...fieldPropsOf(form)('note')}
        />
      )}
    </FormDialog>
  )
}

const keepForm = (isObjected: boolean) => {
  const note = z.string().trim().max(2000, 'Please use at most 2000 characters')
  return z.object({ note: isObjected ? note.min(1, 'Please note what was agreed or decided') : note })
}

/** Returns what is free of a deposit, by the plan that is shown. */
export function DepositReturnDialog({ deposit, open, onClose }: DepositDialogProps & { open: OpenModal }) {
  const { applicationId, freeCents } = deposit
  const today = useToday()
  const giveBack = api.deposits.return.useMutation()
  const readAgain = useReadAgain()
  // One idempotency key per dialog, so that a retry does not return twice.
  const [requestId] = useState(newId)
  const [isUncertain, setIsUncertain] = useState(false)
  const form = useZodForm(returnForm, {
    requestId,
    route: 'source',
    hand: { date: today, checkNumber: '', note: '' },
  })
  const field = fieldPropsOf(form)
  const amount = field('amountCents', asNeededCents)
  const [typedCents, route] = useWatch({ control: form.control, name: ['amountCents', 'route'] })
  const amountCents = typedCents ?? freeCents
  const isPossible = Number.isInteger(amountCents) && amountCents > 0 && amountCents <= freeCents
  const query = api.deposits.plan.useQuery(
    { applicationId, amountCents, route },
    { enabled: isPossible, staleTime: 0, gcTime: 0, placeholderData: keepPreviousData },
  )
  const plan = isPossible && !query.isPlaceholderData ? query.data : undefined
  const byHand = query.data?.legs.some(({ by }) => by === 'hand') ?? false
  const submission = useDialogSubmit(
    form,
    'Failed to return the deposit',
    onClose,
    async ({ hand, ...typed }) => {
      try {
        await giveBack.mutateAsync({
          ...typed,
          applicationId,
          amountCents,
          totalCents: plan?.totalCents,
          ...(byHand && { hand }),
        })
      } catch (error) {
        const failure = failureOf(error)
        setIsUncertain(failure.kind === 'broken' || failure.status >= 500)
        void readAgain()
        throw error
      }
      return 'The return has begun'
    },
  )
  return (
    <FormDialog
      {...submission}
      title={`Return the deposit to ${deposit.tenantName}`}
      description="To a card or bank it goes out at once."
      submitLabel={`Return ${plan ? formatCents(plan.totalCents) : ''}`.trim()}
      busyLabel="Returning..."
      disabled={!plan}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField
          label="Amount"
          required
          readOnly={isUncertain}
          defaultValue={toDollarText(freeCents)}
          hint={`All that can go back is ${formatCents(freeCents)}.`}
          {...amount}
          error={
            isPossible
              ? amount.error
              : amountCents > freeCents
                ? depositMessages.onlyLeft(freeCents)
                : 'Please enter an amount'
          }
        />
        <SelectField label="How" disabled={isUncertain} {...field('route')}>
          <option value="source">To where it came from</option>
          <option value="hand">All by hand</option>
        </SelectField>
      </div>
      {isPossible && (
        <QueryView query={query} loading="Loading the plan..." error="Failed to load the plan">
          {({ legs, totalCents, warnings }) => (
            <div role="status" aria-busy={query.isPlaceholderData} className="grid gap-3">
              <Ways ways={legs.map(leg => ({ ...leg, to: whereTo(leg) }))} totalCents={totalCents} />
              {warnings.map(warning => (
                <Notice key={warning} tone="warning">
                  {warning}
                </Notice>
              ))}
            </div>
          )}
        </QueryView>
      )}
      {byHand && (
        <fieldset className="grid items-start gap-5 sm:grid-cols-2">
          <legend className="mb-3 font-semibold text-navy">By hand</legend>
          <TextField label="Date" type="date" max={today} {...field('hand.date', asOptional)} />
          <TextField label="Check number" autoComplete="off" {...field('hand.checkNumber')} />
          <TextField
            label="Note"
            autoComplete="off"
            className="sm:col-span-2"
            hint="The tenant sees this."
            {...field('hand.note')}
          />
        </fieldset>
      )}
      {!isUncertain && (
        <Button
          size="sm"
          variant="secondary"
          className="justify-self-start"
          onClick={() => open({ kind: 'deposit-item', applicationId })}
        >
          Keep a part
        </Button>
      )}
    </FormDialog>
  )
}
