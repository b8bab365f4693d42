import { formatLongDate } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { toPrintableLine } from '../common/printable.ts'
import type { ChargeLine } from '../money/charge.ts'
import { sumOf } from '../money/charge.ts'
import { isRentForStay, rentLabel, termRent, termRentSum } from '../money/lease-terms.ts'
import type { AddendumInstallment, AddendumTerms } from './addendum.ts'
import { addendumTemplate } from './addendum-template.ts'
import { fillTemplate, listPlaceholders, type Placeholder, templateFaults } from './document-template.ts'
import { type LeaseData, signatureLines, tenantNames } from './lease-text.ts'

/** The data of an addendum; amounts in cents. */
export type AddendumData = Pick<
  LeaseData,
  'applicationNumber' | 'landlordName' | 'propertyName' | 'propertyAddress' | 'tenantName' | 'coTenantName'
> & {
  number: number
  leaseSha256: string
  before: AddendumTerms
  after: AddendumTerms
  lines: readonly Pick<ChargeLine, 'label' | 'amountCents'>[]
  owedBeforeCents: number
  /** Empty without a payment plan. */
  instalments: readonly AddendumInstallment[]
}

const one =
  (fill: (data: AddendumData) => string): Placeholder<AddendumData>['fill'] =>
  data =>
    toPrintableLine(fill(data))

/** The placeholders of the template; those marked `needed` must be used. */
const placeholders: Record<string, Placeholder<AddendumData>> = {
  number: { needed: true, fill: data => String(data.number) },
  applicationNumber: { needed: false, fill: one(data => data.applicationNumber) },
  landlordName: { needed: true, fill: one(data => data.landlordName) },
  tenantNames: { needed: true, fill: one(data => tenantNames(data).join(' and ')) },
  propertyName: { needed: false, fill: one(data => data.propertyName) },
  propertyAddress: { needed: false, fill: one(data => data.propertyAddress) },
  /** Of the text of the lease that it changes. */
  leaseSha256: { needed: true, fill: data => data.leaseSha256 },
  /** Each changed term before and after, one line each. */
  changes: { needed: true, fill: changes },
  /** What is charged more or less, one line each, with the date if all of it is due on one. */
  lines: {
    needed: true,
    fill: ({ instalments, lines }) =>
      lines.length === 0
        ? 'Nothing is charged more or less.'
        : lines
            .map(line => wholeOf(line, instalments) ?? line)
            .map(lineText)
            .join('\n'),
  },
  /** What is due under the agreement before and after. */
  newSum: {
    needed: true,
    fill: ({ lines, owedBeforeCents }) =>
      `Due under the lease before: ${formatCents(owedBeforeCents)}. Due with this addendum: ${formatCents(owedBeforeCents + sumOf(lines))}.`,
  },
  /** The payments that are not in `lines`, one line each; empty without any. */
  payments: {
    needed: true,
    fill: ({ instalments, lines }) => {
      const parts = instalments.filter(each => !lines.some(line => wholeOf(line, instalments) === each))
      return parts.length === 0
        ? ''
        : [
            'What is added and has no date of its own is paid on these dates:',
            '',
            ...parts.map(lineText),
          ].join('\n')
    },
  },
  signatureLines: { needed: true, fill: data => tenantNames(data).map(signatureLines).join('\n\n') },
}

type Line = AddendumData['lines'][number]

/** The one payment of a line; undefined if it has several. */
function wholeOf({ amountCents, label }: Line, instalments: readonly AddendumInstallment[]) {
  const [only, ...others] = instalments.filter(each => each.label === label)
  return others.length === 0 && only?.amountCents === amountCents ? only : undefined
}

function lineText({
  amountCents,
  dueDate,
  label,
}: Line & { dueDate?: AddendumInstallment['dueDate'] }): string {
  const sum = `- ${toPrintableLine(label)}: ${formatCents(amountCents)}`
  if (dueDate === undefined) return sum
  return `${sum}, due ${dueDate === null ? '7 days after this addendum is signed' : `on ${formatLongDate(dueDate)}`}`
}

type Row = [label: string, from: string, to: string]

function changes({ after, before }: AddendumData): string {
  const rents = [before, after].map(({ endDate, rentCents, startDate }) => {
    const rent = termRent(startDate, endDate, rentCents)
    const sum = termRentSum(rent)
    const ofTerm = isRentForStay(startDate, endDate)
      ? { total: sum }
      : { total: formatCents(rent.totalCents), sum }
    return { label: rentLabel(startDate, endDate), cents: formatCents(rentCents), ...ofTerm }
  })
  const [was, will] = rents
  const rows: Row[] = [
    ['First day', formatLongDate(before.startDate), formatLongDate(after.startDate)],
    ['Last day', formatLongDate(before.endDate), formatLongDate(after.endDate)],
    // Of rents for the stay, the whole term's says the same.
    ...([before, after].every(({ endDate, startDate }) => isRentForStay(startDate, endDate))
      ? []
      : [[will?.label ?? '', was?.cents ?? '', will?.cents ?? ''] as Row]),
    [rentOfTerm, was?.total ?? '', will?.total ?? ''],
    ['Security deposit', formatCents(before.depositCents), formatCents(after.depositCents)],
  ]
  const changed = rows.filter(([, from, to]) => from !== to)
  if (changed.length === 0) return 'Dates, rent and deposit stay as they are.'
  const lines = changed.flatMap(([label, from, to]) => {
    const line = `- ${label}: ${from}, from now on ${to}`
    return label === rentOfTerm && will?.sum ? [line, `- How the new rent adds up: ${will.sum}`] : [line]
  })
  return lines.join('\n')
}

const rentOfTerm = 'Rent for the whole term'

/** Renders an addendum as plain text. The template must have passed `checkAddendumTemplate`. */
export const renderAddendumText = (data: AddendumData, template: string = addendumTemplate): string =>
  fillTemplate(placeholders, data, template)

/** The placeholders of an addendum: name, whether it is required, and its value. */
export const addendumPlaceholders = (data: AddendumData) => listPlaceholders(placeholders, data)

/** All errors of a template, one sentence each. */
export const checkAddendumTemplate = (template: string): string[] =>
  templateFaults(placeholders, template, 'addendum')
