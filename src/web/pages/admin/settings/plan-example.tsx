import { useFormContext } from 'react-hook-form'
import {
  addDays,
  addMonths,
  type CalendarDate,
  formatShortDate,
  startOfMonth,
} from '../../../../domain/common/dates.ts'
import { defaultDepositCents, defaultRentCents, formatCents } from '../../../../domain/common/money.ts'
import { shareCents } from '../../../../domain/money/charge.ts'
import {
  lateFeeOf,
  makeInstallments,
  type NewInstallment,
  type PlanSettings,
} from '../../../../domain/money/payment-plan.ts'
import { useToday } from '../../../features/stays/today.ts'
import { type PlanFormValues, planFormSchema } from './plan-form.ts'

/** The payments that the typed settings give for a stay of three months whose lease is generated today. */
export function PlanExample({ saved }: { saved: PlanSettings }) {
  const today = useToday()
  const settings = useTypedSettings(saved)
  const example = settings && exampleOf(settings, today)
  return (
    <section
      aria-label="Example"
      aria-live="polite"
      className="rounded-control bg-glass-light px-4 py-3.5 text-[0.9375rem]"
    >
      <h3 className="font-semibold text-navy">Example</h3>
      {example ? (
        <Example {...example} />
      ) : (
        <p className="mt-1 text-muted">It appears here once the entries are complete.</p>
      )}
    </section>
  )
}

/** The settings as typed; undefined while they are incomplete. */
function useTypedSettings(saved: PlanSettings): PlanSettings | undefined {
  const form = useFormContext<PlanFormValues>()
  const typed = form.watch()
  const { isDirty } = form.formState
  return isDirty ? planFormSchema.safeParse(typed).data : saved
}

type ExampleProps = NonNullable<ReturnType<typeof exampleOf>>

function Example({ end, instalments, lateFee, reminders, start }: ExampleProps) {
  return (
    <>
      <p className="mt-1 text-muted">
        {formatShortDate(start)} to {formatShortDate(end)}, {formatCents(defaultRentCents)} a month, written
        today.
      </p>
      <ul className="mt-2.5 divide-y divide-line-strong/50 border-y border-line-strong/50">
        {instalments.map(({ amountCents, dueDate, label }) => (
          <li key={label} className="py-1.5">
            <span className="flex flex-wrap justify-between gap-x-3">
              <span>{label}</span>
              <span className="font-semibold text-navy tabular-nums">{formatCents(amountCents)}</span>
            </span>
            <span className="block text-sm text-muted">
              {dueDate === null ? 'When the lease is signed' : formatShortDate(dueDate)}
            </span>
          </li>
        ))}
      </ul>
      {reminders && <p className="mt-2.5">{reminders}</p>}
      {lateFee && <p className="mt-2.5">{lateFee}</p>}
    </>
  )
}

/** Undefined if there is no plan. */
function exampleOf(settings: PlanSettings, today: CalendarDate) {
  const { kind } = settings
  if (kind === 'off') return undefined
  // Late enough that no date of the plan is in the past.
  const start = startOfMonth(addMonths(addDays(today, settings.daysBeforeArrival), 1))
  const end = addMonths(start, 3)
  const instalments = makeInstallments(
    kind,
    {
      start,
      end,
      monthlyRentCents: defaultRentCents,
      charges: [
        { kind: 'rent', amountCents: 3 * defaultRentCents },
        { kind: 'deposit', amountCents: defaultDepositCents },
      ],
      today,
    },
    settings,
  )
  const last = instalments.at(-1)
  return {
    start,
    end,
    instalments,
    reminders: last && remindersOf(settings, last),
    lateFee: last && lateFeeSentence(settings, last),
  }
}

function remindersOf({ reminderDays }: PlanSettings, { dueDate, label }: NewInstallment): string | undefined {
  if (dueDate === null || reminderDays.length === 0) return undefined
  const dates = reminderDays.toSorted((a, b) => a - b).map(day => formatShortDate(addDays(dueDate, day)))
  return `While “${label}” is open, the tenant is reminded on ${dates.join(', ')} at 9 a.m.`
}

function lateFeeSentence(settings: PlanSettings, { amountCents, dueDate, label }: NewInstallment) {
  const lateFee = lateFeeOf(settings)
  if (!lateFee || dueDate === null) return undefined
  const cents = lateFee.kind === 'fixed' ? lateFee.cents : shareCents(amountCents, lateFee.basisPoints)
  const from = formatShortDate(addDays(dueDate, lateFee.graceDays + 1))
  return `If “${label}” is not paid, a late fee of ${formatCents(cents)} is proposed to you from ${from} on.`
}
