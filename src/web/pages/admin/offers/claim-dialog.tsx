import { z } from 'zod'
import { lastDayOf } from '../../../../domain/bookings/claim.ts'
import { offerForm } from '../../../../domain/bookings/offer-form.ts'
import { addDays } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { rentLabel } from '../../../../domain/money/lease-terms.ts'
import { api, type Outputs } from '../../../api/api.ts'
import type { ApiClient } from '../../../api/client.ts'
import { asDollars } from '../../../features/payments/dollar-amount.ts'
import { useDay } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'

export type Claim = Outputs['offers']['adminList']['claims'][number]

const { depositAmount, email, message, rentalAmount } = offerForm.shape
const until = z.string().min(1, 'Please enter a valid date')
const reason = z.string().trim().max(2000)
const form = z.object({ until, rentalAmount, depositAmount, message, email, reason }).partial()

type Action = {
  title: string
  about: string
  done: string
  run: (client: ApiClient, claim: Claim, values: z.output<typeof form>) => Promise<unknown>
}
const change: Action['run'] = (client, { id: claimId, version, ...claim }, { message, ...values }) =>
  client.offers.change.mutate({
    claimId,
    version,
    ...values,
    ...(message !== undefined && message !== (claim.message ?? '') && { message }),
  })

/** What the owner can do with an offer, each in a dialog of its own. */
const actions = {
  extend: {
    title: 'Extend',
    about: 'The guest gets an email with the new day.',
    done: 'Offer extended',
    run: change,
  },
  price: {
    title: 'Change Price',
    about: 'Fees and discounts stay as offered. The guest gets an email with the new price.',
    done: 'Offer changed',
    run: change,
  },
  send: {
    title: 'Send Again',
    about: 'The guest gets a new link. Earlier ones no longer work.',
    done: 'Offer sent',
    run: (client, { id: claimId }, { email }) => client.offers.resend.mutate({ claimId, email }),
  },
  withdraw: {
    title: 'Withdraw',
    about: 'The nights are free at once, and the guest gets an email.',
    done: 'Offer withdrawn',
    run: (client, { id: claimId }, { reason }) =>
      client.offers.withdraw.mutate({ claimId, ...(reason && { reason }) }),
  },
  ask: {
    title: 'Ask Now',
    about: 'The guest gets an email and has a few days to answer.',
    done: 'Asked for an answer',
    run: (client, { id: claimId }) => client.offers.ask.mutate({ claimId }),
  },
} satisfies Record<string, Action>
export type ClaimAction = keyof typeof actions

type ClaimDialogProps = { claim: Claim; action: ClaimAction; onClose: () => void }

export function ClaimDialog({ action, claim, onClose }: ClaimDialogProps) {
  const { client } = api.useUtils()
  const { timeZone, today } = useDay()
  const { about, done, run, title } = actions[action]
  const fields = useZodForm(form, startOf(action, claim, timeZone))
  const field = fieldPropsOf(fields)
  const submission = useDialogSubmit(fields, `Failed: ${title}`, onClose, async values => {
    await run(client, claim, values)
    return done
  })
  return (
    <FormDialog
      {...submission}
      title={`${title}: ${claim.firstName} ${claim.lastName}`}
      description={about}
      submitLabel={title}
      danger={action === 'withdraw'}
    >
      {action === 'extend' && (
        <TextField
          label={claim.state === 'asked' ? 'Answer until' : 'Valid until'}
          type="date"
          min={today}
          max={claim.startDate}
          required
          hint="To the end of that day"
          {...field('until')}
        />
      )}
      {action === 'price' && (
        <>
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <MoneyField
              label={rentLabel(claim.startDate, claim.endDate)}
              required
              {...field('rentalAmount', asDollars)}
            />
            <MoneyField label="Deposit" required {...field('depositAmount', asDollars)} />
          </div>
          <p className="text-muted">The total so far: {formatCents(claim.totalCents ?? 0)}</p>
          <TextAreaField
            label="A sentence to the guest"
            rows={3}
            hint="Optional. It is in the email."
            {...field('message')}
          />
        </>
      )}
      {action === 'send' && (
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          required
          readOnly={claim.applicationId !== null}
          {...field('email')}
        />
      )}
      {action === 'withdraw' && (
        <TextAreaField label="Reason" rows={3} hint="Optional. It is in the email." {...field('reason')} />
      )}
    </FormDialog>
  )
}

function startOf(action: ClaimAction, claim: Claim, timeZone: string): z.input<typeof form> {
  if (action === 'extend') {
    const later = addDays(lastDayOf(claim.until ?? claim.createdAt, timeZone), 3)
    return { until: [later, claim.startDate].sort()[0] ?? later }
  }
  const { depositAmount, message, rentalAmount } = claim
  if (action === 'price') return { rentalAmount, depositAmount, message: message ?? '' }
  return action === 'send' ? { email: claim.email } : { reason: '' }
}
