import { z } from 'zod'
import { apiCents, recordIds, wireDate, wireMoment } from '../../../domain/common/wire.ts'
import {
  deadlineKinds,
  deliveries,
  depositStates,
  itemCategories,
} from '../../../domain/money/deposit-case.ts'
import { legCauses, legStates, legWays } from '../../../domain/money/return-plan.ts'

export const photoView = z.strictObject({
  id: z.string(),
  sha256: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  /** `takenAt` is what the camera says, not checked. */
  receivedAt: wireMoment,
  takenAt: z.string().nullable(),
  clockDoubtful: z.boolean(),
  /** By a statement or letter, so that it stays (EVID-05). */
  isNamed: z.boolean(),
})

export const ruleView = z.strictObject({
  id: z.string(),
  name: z.string(),
  returnDays: z.int(),
  claimDays: z.int(),
  objectionDays: z.int(),
  restDays: z.int(),
  delivery: z.enum(deliveries),
  noticeText: z.string(),
  preset: z.boolean(),
})
export type RuleView = z.infer<typeof ruleView>

export const itemView = z.strictObject({
  id: z.string(),
  category: z.enum(itemCategories),
  label: z.string(),
  amountCents: apiCents,
  keptAt: wireMoment.nullable(),
  photos: z.array(photoView),
})

export const statementView = z.strictObject({
  id: z.string(),
  number: z.int(),
  counts: z.boolean(),
  letterId: z.string().nullable(),
  sentOn: wireDate,
  how: z.enum(deliveries),
  trackingNumber: z.string(),
  claimedCents: apiCents,
  sha256: z.string(),
  objection: z.strictObject({ at: wireMoment, text: z.string() }).nullable(),
  agreedAt: wireMoment.nullable(),
})

export const legView = z.strictObject({
  /** `requestId` is null for a cancellation's and for one recorded by hand. */
  id: z.string(),
  requestId: z.string().nullable(),
  by: z.enum(legWays),
  cause: z.enum(legCauses),
  amountCents: apiCents,
  feeCents: apiCents,
  totalCents: apiCents,
  state: z.enum(legStates),
  error: z.string().nullable(),
  cardBrand: z.string().nullable(),
  cardLast4: z.string().nullable(),
  checkNumber: z.string(),
  at: wireMoment,
})

/** A deposit as its tenant sees it. `disputedCents` is in no other sum. */
export const depositView = z.strictObject({
  applicationId: z.string(),
  applicationNumber: z.string(),
  state: z.enum(depositStates),
  rule: ruleView,
  vacatedOn: wireDate,
  hasLeft: z.boolean(),
  receivedCents: apiCents,
  movedCents: apiCents,
  shortCents: apiCents,
  heldCents: apiCents,
  returnedCents: apiCents,
  keptCents: apiCents,
  claimedCents: apiCents,
  onItsWayCents: apiCents,
  disputedCents: apiCents,
  freeCents: apiCents,
  deadline: z.strictObject({ kind: z.enum(deadlineKinds), date: wireDate, daysLeft: z.int() }).nullable(),
  /** Of the newest statement. */
  objectionUntil: wireDate.nullable(),
  items: z.array(itemView),
  statements: z.array(statementView),
  legs: z.array(legView),
  closedAt: wireMoment.nullable(),
})
export type DepositView = z.infer<typeof depositView>

export const letterView = z.strictObject({
  ...recordIds,
  number: z.int(),
  address: z.string(),
  claimedCents: apiCents,
  sha256: z.string(),
  createdAt: wireMoment,
  sentStatementId: z.string().nullable(),
  voidedAt: wireMoment.nullable(),
})

/** A deposit as the owner sees it; `attention` is its gravest notice. */
export const adminDepositView = z.strictObject({
  ...depositView.shape,
  tenantName: z.string(),
  letters: z.array(letterView),
  attention: z
    .strictObject({ tone: z.enum(['warning', 'danger']), title: z.string(), detail: z.string() })
    .nullable(),
})
export type AdminDepositView = z.infer<typeof adminDepositView>

export const planView = z.strictObject({
  legs: z.array(
    z.strictObject({
      by: z.enum(legWays),
      paymentId: z.string().nullable(),
      amountCents: apiCents,
      feeCents: apiCents,
      totalCents: apiCents,
      cardBrand: z.string().nullable(),
      cardLast4: z.string().nullable(),
    }),
  ),
  amountCents: apiCents,
  feeCents: apiCents,
  totalCents: apiCents,
  warnings: z.array(z.string()),
})
