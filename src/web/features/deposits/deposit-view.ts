import { formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { type DepositState, daysText, deadlineToDo } from '../../../domain/money/deposit-case.ts'
import { type LegState, sourceLabel } from '../../../domain/money/return-plan.ts'
import type { Outputs } from '../../api/api.ts'
import type { BadgeTone } from '../../ui/badge.tsx'

export type OwnerDeposit = Outputs['deposits']['list']['deposits'][number]
export type TenantDeposit = Outputs['deposits']['agree']['deposit']
export type Item = TenantDeposit['items'][number]
type Statement = TenantDeposit['statements'][number]
type Leg = TenantDeposit['legs'][number]

/** The newest statement that counts. */
export const newestStatement = ({
  statements,
}: {
  statements: readonly Statement[]
}): Statement | undefined => statements.findLast(({ counts }) => counts)

/** The name of a rule beside the hint of its preset, which says too that it is not reviewed. */
export const ruleName = ({ name }: OwnerDeposit['rule']): string => name.replace(' (not reviewed)', '')

export const depositTones: Record<DepositState, BadgeTone> = {
  unpaid: 'neutral',
  held: 'blue',
  vacated: 'yellow',
  drafted: 'yellow',
  claimed: 'blue',
  objected: 'red',
  settled: 'green',
  returning: 'yellow',
  closed: 'neutral',
}

/** 'Return it or send a statement by Jun 16, 2026 · 5 days left'. */
export const deadlineText = (
  { date, daysLeft, kind }: NonNullable<TenantDeposit['deadline']>,
  claimedCents: number,
): string => `${deadlineToDo(kind, claimedCents)} by ${formatShortDate(date)} · ${daysText(daysLeft)}`

type Way = Pick<Leg, 'by' | 'amountCents' | 'feeCents' | 'cardBrand' | 'cardLast4'> & { checkNumber?: string }

/** '$380.00 to Visa ending in 4242, with $11.40 of the card fee' or '$200.00 by check 2391'. */
export function wayText(way: Way): string {
  const fee = way.feeCents > 0 ? `, with ${formatCents(way.feeCents)} of the card fee` : ''
  return `${formatCents(way.amountCents)} ${whereTo(way)}${fee}`
}

/** 'to Visa ending in 4242', 'to the bank account' or 'by check or transfer'. */
export function whereTo({ by, checkNumber, ...source }: Omit<Way, 'amountCents' | 'feeCents'>): string {
  if (by === 'hand') return byHand(checkNumber)
  if (by === 'card') return `to ${sourceLabel({ ...source, providerMethod: 'card' })}`
  return source.cardLast4 ? `to the bank account ending in ${source.cardLast4}` : 'to the bank account'
}

export const byHand = (checkNumber?: string): string =>
  checkNumber ? `by check ${checkNumber}` : 'by check or transfer'

export const legStates: Record<LegState, { label: string; tone: BadgeTone }> = {
  waiting: { label: 'On its way', tone: 'yellow' },
  sent: { label: 'On its way', tone: 'yellow' },
  done: { label: 'Returned', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
}

/** 'Statement 1, sent by post on Jun 5, 2026, number 9407'. */
export const statementText = ({ how, number, sentOn, trackingNumber }: Statement): string =>
  [
    `Statement ${number}`,
    `sent by ${how} on ${formatShortDate(sentOn)}`,
    ...(trackingNumber ? [`number ${trackingNumber}`] : []),
  ].join(', ')
