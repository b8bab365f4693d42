import { z } from 'zod'
import { boundedText, calendarDate, line, positiveCents, requiredLine } from '../common/inputs.ts'
import { defaultDepositCents, maxAmountCents } from '../common/money.ts'
import { section } from '../content/settings-section.ts'
import { deliveries, depositStates, itemCategories } from './deposit-case.ts'

const id = z.string().min(1).max(100)
const requestId = z.uuid('Please open the form again')
export const ofApplication = z.object({ applicationId: id })
export const depositListInput = z.object({ state: z.enum(depositStates, 'Please choose a state').optional() })
export const ruleIdInput = z.object({ id })
export const itemIdInput = z.object({ itemId: id })
export const letterIdInput = z.object({ letterId: id })

const days = (min: number, max: number) => {
  const message = `Please enter a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

/** A rule of how long after a stay a deposit goes back or is claimed (DEP-02). */
export const ruleForm = z
  .object({
    name: requiredLine(80, 'Please enter a name of at most 80 characters'),
    returnDays: days(1, 120),
    claimDays: days(1, 120),
    objectionDays: days(0, 60),
    restDays: days(1, 120),
    delivery: z.enum(deliveries, 'Please choose email or post'),
    noticeText: boundedText(4000),
  })
  .refine(rule => rule.claimDays >= rule.returnDays, {
    path: ['claimDays'],
    message: 'The time to claim cannot end before the time to return',
  })
export type RuleForm = z.output<typeof ruleForm>

export const caseForm = z.object({
  vacatedOn: calendarDate().nullable().optional(),
  ruleId: id.optional(),
})
export type CaseForm = z.output<typeof caseForm>

/** What is claimed of a deposit (DEP-16). */
export const itemForm = z.object({
  category: z.enum(itemCategories, 'Please choose what it is for'),
  label: requiredLine(200, 'Please say what it is for'),
  amountCents: positiveCents('Please enter an amount of at least $0.01'),
})
export type ItemForm = z.output<typeof itemForm>

/** A statement is sent by email today, or by post on a day and with a number that the owner enters (DEP-22). */
export const statementForm = z
  .object({
    requestId,
    how: z.enum(deliveries, 'Please choose email or post'),
    trackingNumber: line(60).default(''),
    sentOn: calendarDate().optional(),
    emailAgreed: z.boolean().default(false),
    late: z.boolean().default(false),
    letterId: id.optional(),
    /** The claimed amount that the dialog showed; a statement with a different amount is not sent. */
    seenClaimedCents: z.int().optional(),
  })
  .refine(({ how, trackingNumber }) => how === 'email' || trackingNumber !== '', {
    path: ['trackingNumber'],
    message: 'Please enter the tracking number',
  })
  .refine(({ how, sentOn }) => how === 'email' || sentOn !== undefined, {
    path: ['sentOn'],
    message: 'Please enter the day on which it was sent',
  })
  .refine(({ how, letterId }) => how === 'post' || letterId === undefined, {
    path: ['letterId'],
    message: 'A printed letter goes by post',
  })
export type StatementForm = z.output<typeof statementForm>

const addressMessage = 'Please enter 1 to 5 lines of at most 60 characters'
/** The address as it stands on the envelope (EVID-27). */
export const letterForm = z.object({
  requestId,
  address: z
    .string(addressMessage)
    .max(400, addressMessage)
    .transform(text =>
      text
        .split('\n')
        .map(each => each.trim())
        .filter(Boolean)
        .join('\n'),
    )
    .refine(text => {
      const lines = text.split('\n')
      return text !== '' && lines.length <= 5 && lines.every(each => each.length <= 60)
    }, addressMessage),
})
export type LetterForm = z.output<typeof letterForm>

export const objectionForm = z.object({
  statementId: id,
  text: boundedText(5000, 'Please say why').min(1, 'Please say why'),
})
export const agreementForm = z.object({ statementId: id })
export const keepForm = z.object({
  note: boundedText(2000).default(''),
  seenClaimedCents: z.int().optional(),
})
export type KeepForm = z.output<typeof keepForm>

const returnWay = z.enum(['source', 'hand'], 'Please choose how it goes back')
export const planInput = z.object({
  amountCents: positiveCents().optional(),
  route: returnWay.default('source'),
})
export type PlanInput = z.output<typeof planInput>
export const returnForm = planInput.extend({
  requestId,
  /** What was returned by hand; needed where the plan has such a leg. */
  hand: z
    .object({
      date: calendarDate().optional(),
      checkNumber: line(50).default(''),
      note: line(500).default(''),
    })
    .optional(),
  /** As shown in the plan. */
  totalCents: z.int().min(0).optional(),
})
export type ReturnForm = z.output<typeof returnForm>

const amountMessage = 'Please enter an amount from $0 to $10,000,000'

/** The security deposit of new leases, and whether deposits that were paid are watched until they are back. */
export const depositSection = section(
  'deposit',
  z.object({
    /** In cents; null is as much as the rent: a month's, or that of a shorter stay. */
    amountCents: z
      .int(amountMessage)
      .min(0, amountMessage)
      .max(maxAmountCents, amountMessage)
      .nullable()
      .default(defaultDepositCents),
    enabled: z.boolean().default(false),
    /** The usual rule. */
    ruleId: z.string().min(1).max(100).default('general'),
    /** Of stays that ended before this day only those with an entered day of leaving have dates. */
    since: calendarDate().nullable().default(null),
  }),
)
