import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { z } from 'zod'
import { promiseForm } from '../../../../domain/bookings/offer-form.ts'
import { promiseUntil, yearLater } from '../../../../domain/bookings/promise-until.ts'
import { dollarsToCents } from '../../../../domain/common/money.ts'
import { stayOf } from '../../../../domain/common/stay.ts'
import { api, newId } from '../../../api/api.ts'
import { refusalOr } from '../../../api/failures.ts'
import { PriceLines } from '../../../features/offers/price-lines.tsx'
import { typedStay } from '../../../features/stays/stay-selection.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useDebounced } from '../../../forms/use-debounced.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { paths } from '../../../routing/paths.ts'
import { Notice } from '../../../ui/notice.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { CalendarOverride, useCalendarOverride, Warnings } from '../calendar-override.tsx'
import { isSame, orMissing } from '../offers/offer-price.tsx'
import type { Application } from './application-data.ts'

const { endDate, message, startDate, until } = promiseForm.shape
const form = z.object({ startDate, endDate, until, message })

/** Promises the tenant the same stay a year later. The dates are filled in. */
export function SameAgainDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const { client } = api.useUtils()
  const [, navigate] = useLocation()
  const readAgain = useReadAgain()
  const today = useToday()
  const [requestId] = useState(newId)
  const { id: applicationId } = application
  const again = yearLater(stayOf(application))
  const fields = useZodForm(form, {
    startDate: again.start,
    endDate: again.end,
    until: promiseUntil(again.start, today),
  })
  const field = fieldPropsOf(fields)
  const [start = '', end = ''] = fields.watch(['startDate', 'endDate'])
  const stay = useDebounced(typedStay(start, end))
  const proposed = useQuery({
    // Asked for anew each time: the same dates may be promised by now.
    queryKey: ['same again', requestId, stay],
    queryFn: () =>
      client.offers.proposal.query({ applicationId, startDate: stay?.start, endDate: stay?.end }),
    enabled: stay !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const proposal = proposed.data?.proposal
  const depositCents = dollarsToCents(proposal?.depositAmount ?? 0)
  const override = useCalendarOverride(`${start} ${end}`)
  const submission = useSubmit(fields, 'Failed to promise the dates', async promise => {
    const isShown = !proposed.isPlaceholderData && isSame(stay, typedStay(start, end))
    const seen = isShown && proposal && { totalCents: proposal.totalCents, depositCents }
    const { warnings } = await override
      .send(overrideCalendar =>
        client.offers.promise.mutate({ ...promise, ...seen, ...overrideCalendar, applicationId, requestId }),
      )
      .catch(error => {
        void proposed.refetch()
        throw error
      })
    toast.success('Dates promised')
    for (const warning of warnings) toast.info('Please note', warning)
    void readAgain()
    // The list shows the new promise.
    navigate(`${paths.adminOffers()}?show=promised`)
  })
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
      <Warnings of={proposal?.warnings} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label="Arrival" type="date" required {...field('startDate', orMissing)} />
        <TextField label="Departure" type="date" required {...field('endDate', orMissing)} />
      </div>
      <TextField label="Promised until" type="date" required {...field('until', orMissing)} />
      {proposed.isError && <Notice>{refusalOr(proposed.error, 'Failed to load the price')}</Notice>}
      {proposal && (
        <div>
          <PriceLines {...proposal} depositCents={depositCents} />
          <p className="mt-2 text-[0.9375rem] text-muted">
            {proposal.priceFrom === 'last_lease'
              ? 'As in the last lease: there is no rate yet.'
              : 'By your rates.'}
          </p>
        </div>
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
