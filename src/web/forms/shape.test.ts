import { expect, test } from 'vitest'
import { hasShapeOf } from '../pages/tenant/application-form/application-draft.ts'

const sample = { id: '', people: [{ name: '', isAdult: true }], address: { city: '' } }
const whole = { id: 'x', people: [], address: { city: 'Destin' } }

test('accepts a stored value only if every field of the sample exists with the same type', () => {
  expect(hasShapeOf(sample, whole)).toBe(true)
  expect(hasShapeOf(sample, { ...whole, people: [{ name: 'Maya', isAdult: false }] })).toBe(true)
  for (const broken of [
    undefined,
    null,
    'text',
    [],
    { ...whole, id: 1 },
    { ...whole, people: {} },
    { ...whole, people: [{ name: 'Maya' }] },
    { ...whole, people: ['Maya'] },
    { ...whole, address: null },
    { ...whole, address: ['Destin'] },
    { id: 'x', people: [] },
  ])
    expect(hasShapeOf(sample, broken)).toBe(false)
})
