import { expect, test } from 'vitest'
import { pdfPages, pdfText } from '../../../testing/pdf-text.ts'
import { type Receipt, renderReceiptPdf } from './receipt-pdf.ts'

const receipt: Receipt = {
  site: {
    companyName: 'Seaglass Shore LLC',
    propertyName: 'Seaglass Shore Condo',
    propertyAddress: '100 Beach Road, Pensacola, FL 32561',
    ownerEmail: 'owner@condo.example',
    timeZone: 'America/New_York',
  },
  tenantName: 'Maya Rivers',
  email: 'maya@guest.example',
  applicationNumber: 'APP-2026-0001',
  paymentTypeLabel: 'Rent',
  method: 'card',
  checkNumber: '',
  amountCents: 1000_00,
  feeCents: 30_00,
  refundedCents: 10_00,
  isDisputed: false,
  paidAt: '2026-03-04T17:00:00.000Z',
  transactionId: 'pi_1',
  cardBrand: 'Visa',
  cardLast4: '4242',
}
/** In points from the bottom of the page. */
const lowestText = (page: string) =>
  Math.min(...[...page.matchAll(/^[\d.]+ (-?[\d.]+) Td$/gm)].map(([, y]) => Number(y)))

test.each([
  ['one line', 'Broken lamp', [17, 18, 19, 20, 21]],
  ['two lines', 'A label of two lines '.repeat(5).trim(), [7, 8, 9, 10, 11]],
])(
  'a list of charges of %s each stays within its pages, with the total and the contact address [CHG-28]',
  (_, label, counts) => {
    for (const count of counts) {
      const pdf = renderReceiptPdf({ ...receipt, charges: Array(count).fill({ label, amountCents: 100 }) })
      const text = pdfText(pdf).flat().join(' ')
      expect(text).toContain('Total due')
      expect(text).toContain('owner@condo.example')
      for (const page of pdfPages(pdf)) expect(lowestText(page), `${count} charges`).toBeGreaterThan(30)
    }
  },
)
