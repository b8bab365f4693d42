import { z } from 'zod'
import { anyDate, calendarDate, dollars, optionalWhole } from '../common/inputs.ts'
import { maxStayNights } from '../common/stay.ts'
import { type LastSaved, recordIds, wireDate, wireDollars } from '../common/wire.ts'

const maxMinStayNights = 365

/** The number in a text field; null if it is empty or not a number. */
function optionalNumber(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() === '' ? null : optionalNumber(Number(value))
  return value === undefined || Number.isNaN(value) ? null : value
}

const optionalPrice = z.preprocess(
  (value: string | number | null | undefined) => optionalNumber(value),
  dollars().nullable(),
)

const minStay = z.preprocess(
  (value: string | number | null | undefined) => optionalNumber(value) ?? defaultMinStayNights,
  z
    .number()
    .int('Min stay is a whole number of nights')
    .min(1, 'Min stay is at least 1 night')
    .max(maxMinStayNights, `Min stay is at most ${maxMinStayNights} nights`),
)

const maxStay = optionalWhole(
  1,
  maxStayNights,
  `Max stay is a whole number of nights from 1 to ${maxStayNights}, or empty`,
)

/** A rate period as the owner enters it; amounts in dollars, both dates inclusive. */
export const rateForm = z
  .object({
    period: z
      .string({ error: 'Period name is required' })
      .trim()
      .min(1, 'Period name is required')
      .max(100, 'Please use at most 100 characters'),
    startDate: calendarDate('Start date is required'),
    endDate: anyDate('End date is required'),
    monthly: z.preprocess(
      (value: string | number | null | undefined) => optionalNumber(value),
      dollars('Monthly rate is required'),
    ),
    weekly: optionalPrice,
    nightly: optionalPrice,
    weekendNight: optionalPrice,
    minStay,
    maxStay,
    isActive: z.boolean().default(true),
  })
  .refine(({ startDate, endDate }) => startDate <= endDate, {
    path: ['endDate'],
    error: 'End date must be on or after start date',
  })
  .refine(({ minStay, maxStay }) => maxStay === null || maxStay >= minStay, {
    path: ['maxStay'],
    error: 'Max stay cannot be shorter than min stay',
  })
/** Validates each field separately; the server checks rules that involve two fields. */
export const rateFieldsForm = z.object(rateForm.shape)
export type RateFormValues = z.input<typeof rateForm>
export type RateInput = z.output<typeof rateForm>

/** A rate period in responses: dollars, null for no price; both dates inclusive. */
export const rateView = z
  .strictObject({
    ...recordIds,
    period: z.string(),
    startDate: wireDate,
    endDate: wireDate,
    monthly: wireDollars,
    weekly: wireDollars.nullable(),
    nightly: wireDollars.nullable(),
    weekendNight: wireDollars.nullable(),
    minStay: z.int().meta({ description: 'Nights' }),
    maxStay: z.int().nullable().meta({ description: 'Nights; null for no limit' }),
    isActive: z.boolean(),
  })
  .meta({ id: 'Rate' })
export type Rate = z.infer<typeof rateView> & LastSaved

export const defaultMinStayNights = 30
