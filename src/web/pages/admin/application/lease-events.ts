import { formatLongDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { formatStay } from '../../../../domain/common/stay.ts'
import type { Outputs } from '../../../api/api.ts'
import { planLabels } from '../plan-labels.ts'

export type LeaseEvent = Outputs['leases']['trail']['events'][number]

const viewKinds = ['lease.viewed', 'lease.downloaded', 'lease.signed_viewed']

/** The newest events, except those where the owner only viewed the lease. */
export function latestEvents(newestFirst: readonly LeaseEvent[], count: number): LeaseEvent[] {
  return newestFirst
    .filter(({ actorRole, kind }) => actorRole !== 'admin' || !viewKinds.includes(kind))
    .slice(0, count)
}

/** `by Sam Carter (tenant)` */
export function actorText({ actorName, actorRole }: LeaseEvent): string {
  if (actorRole === 'system') return 'by the site itself'
  return actorName ? `by ${actorName} (${actorRole})` : `by the ${actorRole}`
}

/** The details of an event, as labels and values. Row ids are left out. */
export function detailPairs({ detail, address, userAgent }: LeaseEvent): [string, string][] {
  const { leaseStartDate, leaseEndDate, rentCents, depositCents, wordingVersion, ...others } = detail
  const { amountCents, from, planKind, proposedCents, to, ...rest } = others
  const pairs: [string, unknown][] = [
    [
      'Term',
      typeof leaseStartDate === 'string' &&
        typeof leaseEndDate === 'string' &&
        formatStay({ start: leaseStartDate, end: leaseEndDate }),
    ],
    ['Monthly rent', typeof rentCents === 'number' && formatCents(rentCents)],
    ['Deposit', typeof depositCents === 'number' && formatCents(depositCents)],
    ['Payment plan', typeof planKind === 'string' && (planKindLabels[planKind] ?? planKind)],
    ['Amount', typeof amountCents === 'number' && formatCents(amountCents)],
    ['Proposed late fee', typeof proposedCents === 'number' && formatCents(proposedCents)],
    ['Due before', typeof from === 'string' && formatLongDate(from)],
    ['Due now', typeof to === 'string' && formatLongDate(to)],
    // The built-in wording has no saved version.
    ['Version of the wording', wordingVersion !== 0 && wordingVersion],
    ...Object.entries(rest).map(([key, value]): [string, unknown] => [labels[key] ?? key, value]),
    ['From address', address],
    ['Browser', userAgent],
  ]
  return pairs.flatMap(([label, value]): [string, string][] =>
    isNothing(value) || isRowId(value) ? [] : [[label, String(value)]],
  )
}

const isNothing = (value: unknown) => value === null || value === false || value === undefined || value === ''

const isRowId = (value: unknown) =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)

const planKindLabels: Record<string, string> = { ...planLabels, off: 'No plan' }

const labels: Record<string, string> = {
  leaseTextSha256: 'SHA-256 of the text',
  textShown: 'Text shown',
  noticeSha256: 'SHA-256 of the notice',
  noticeShown: 'Notice shown',
  consent: 'Consent',
  coApplicantConsent: 'Co-applicant’s consent',
  coApplicantEmail: 'Co-applicant’s e-mail',
  planVersion: 'Version of the plan',
  label: 'Payment',
  reason: 'Reason',
  payments: 'Payments',
  fileSha256: 'SHA-256 of the file',
  originalName: 'File name',
  contentType: 'File type',
  sizeBytes: 'Bytes',
  signedBy: 'Signed by',
}
