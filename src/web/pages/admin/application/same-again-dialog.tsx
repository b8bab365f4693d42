import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { z } from 'zod'
import { promiseForm } from '../../../../domain/bookings/offer-form.ts'
import { dollarsToCents } from '../../../../domain/common/money.ts'
import { api, newRequestId, type Outputs } from '../../../api/api.ts'
import { refusalOr } from '../../../api/failures.ts'
import { PriceLines } from '../../../features/offers/price-lines.tsx'
import { typedStay } from '../../../features/stays/stay-selection.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useDebounced } from '../../../forms/use-debounced.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { paths } from '../../../routing/paths.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { CalendarOverride, useCalendarOverride, Warnings } from '../calendar-override.tsx'
import { orMissing } from '../offers/offer-price.tsx'
import type { Application } from './application-data.ts'

type SameAgainProps = { application: Application; onClose: () => void }

/** The same stay a year later, promised to its tenant: all filled in. */
export function SameAgainDialog(props: SameAgainProps) {
  const { client } = api.useUtils()
  const [opened] = useState(newRequestId)
  const query = useQuery({
    // Asked for anew: what was proposed before may be promised by now.
    queryKey: ['same again', opened],
    queryFn: () => client.offers.proposal.query({ applicationId: props.application.id }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (query.data) return <PromiseDialog {...props} proposal={query.data.proposal} />
  return (
    <Dialog open onOpenChange={props.onClose} title="Same Again Next Year">
      <QueryView
        query={query}
        loading="Loading..."
        error={refusalOr(query.error, 'Failed to load the dates')}
      >
        {() => null}
      </QueryView>
    </Dialog>
  )
}

const { endDate, message, startDate, until } = promiseForm.shape
const form = z.object({ startDate, endDate, until, message })

type PromiseProps = SameAgainProps & { proposal: Outputs['offers']['proposal']['proposal'] }

function PromiseDialog({ application, onClose, proposal }: PromiseProps) {
  const utils = api.useUtils()
  const [, navigate] = useLocation()
  const readAgain = useReadAgain()
  const [requestId] = useState(newRequestId)
  const { endDate, startDate, until } = proposal
  const fields = useZodForm(form, { startDate, endDate, until })
  const field = fieldPropsOf(fields)
  const [start = '', end = ''] = fields.watch(['startDate', 'endDate'])
  const override = useCalendarOverride(`${start} ${end}`)
  const submission = useSubmit(fields, 'Failed to promise the dates', async promise => {
    const { warnings } = await override.send(overrideCalendar =>
      utils.client.offers.promise.mutate({
        ...promise,
        ...overrideCalendar,
        applicationId: application.id,
        requestId,
      }),
    )
    toast.success('Dates promised')
    for (const warning of warnings) toast.info('Please note', warning)
    void readAgain()
    // The list shows the new promise.
    navigate(`${paths.adminOffers()}?show=promised`)
  })
  const stay = useDebounced(typedStay(start, end))
  const isProposed = start === startDate && end === endDate
  const price = useQuery({
    queryKey: ['same again', requestId, stay],
    queryFn: () =>
      utils.client.offers.proposal.query({
        applicationId: application.id,
        startDate: stay?.start,
        endDate: stay?.end,
      }),
    enabled: stay !== undefined && !isProposed,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })
  const shown = isProposed ? proposal : price.data?.proposal
  return (
    <FormDialog
      {...submission}
      formError={override.otherError(submission.formError)}
      title="Same Again Next Year"
      description="Nobody else gets these dates before this guest has been asked. The guest gets an email."
      submitLabel="Promise These Dates"
      busyLabel="Promising..."
      onClose={onClose}
    >
      <Warnings of={shown?.warnings ?? []} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label="Arrival" type="date" required {...field('startDate', orMissing)} />
        <TextField label="Departure" type="date" required {...field('endDate', orMissing)} />
      </div>
      <TextField label="Promised until" type="date" required {...field('until', orMissing)} />
      {!isProposed && price.isError ? (
        <Notice>{refusalOr(price.error, 'Failed to load the price')}</Notice>
      ) : (
        shown && <ProposedPrice proposal={shown} />
      )}
      <TextAreaField
        label="A sentence to the guest"
        rows={3}
        hint="Optional. It is in the email."
        {...field('message', orMissing)}
      />
      <CalendarOverride {...override} />
    </FormDialog>
  )
}

function ProposedPrice({ proposal }: Pick<PromiseProps, 'proposal'>) {
  return (
    <div>
      <PriceLines {...proposal} depositCents={dollarsToCents(proposal.depositAmount)} />
      <p className="mt-2 text-[0.9375rem] text-muted">
        {proposal.priceFrom === 'last_lease'
          ? 'As in the last lease: there is no rate yet.'
          : 'By your rates.'}
      </p>
    </div>
  )
}
