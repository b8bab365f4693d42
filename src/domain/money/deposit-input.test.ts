import { expect, test } from 'vitest'
import type { z } from 'zod'
import { itemForm, objectionForm, statementForm } from './deposit-input.ts'

const requestId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const post = { requestId, how: 'post', sentOn: '2026-09-01', trackingNumber: '9407 1000' }

test.each<[string, z.ZodType, object, string, string]>([
  [
    'an item without a category',
    itemForm,
    { label: 'Lamp', amountCents: 100 },
    'category',
    'Please choose what it is for',
  ],
  [
    'a letter without a number',
    statementForm,
    { ...post, trackingNumber: ' ' },
    'trackingNumber',
    'Please enter the tracking number',
  ],
  ['an objection of spaces', objectionForm, { statementId: 's1', text: '  ' }, 'text', 'Please say why'],
])('%s is told at its field [DEP-16, DEP-22]', (_, form, input, path, message) => {
  expect(form.safeParse(input).error?.issues).toMatchObject([{ path: [path], message }])
})
