import { expect, test } from 'vitest'
import { paymentStatuses } from '../../../domain/money/ledger.ts'
import { paymentStatusTones } from './payment-status-badge.tsx'

test('each payment status has the color from the spec [STATUS-05]', () => {
  expect(paymentStatuses.map(status => paymentStatusTones[status])).toEqual([
    'green',
    'yellow',
    'green',
    'red',
    'neutral',
    'neutral',
    'neutral',
    'red',
  ])
})
