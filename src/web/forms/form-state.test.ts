import { expect, test, vi } from 'vitest'
import { makeFormState } from './form-state.ts'

const blank = {
  name: '',
  address: { city: '' },
  guests: [{ name: 'Maya' }, { name: 'Sam' }, { name: 'Ruth' }],
}

test('changes one value and notifies its subscribers', () => {
  const form = makeFormState(blank)
  const before = form.getValues()
  const onChange = vi.fn()
  const stop = form.subscribe(onChange)
  form.setValue('address.city', 'Destin')
  form.setValue('guests.1.name', 'Tessa')
  expect(form.getValues()).toEqual({
    name: '',
    address: { city: 'Destin' },
    guests: [{ name: 'Maya' }, { name: 'Tessa' }, { name: 'Ruth' }],
  })
  expect(before).toEqual(blank)
  expect(onChange).toHaveBeenCalledTimes(2)
  stop()
  form.setValue('name', 'Mia')
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('is dirty until the values are back to the initial ones', () => {
  const form = makeFormState(blank)
  form.setValue('name', 'Mia')
  expect(form.getView().isDirty).toBe(true)
  expect([form.isDirty('name'), form.isDirty('guests')]).toEqual([true, false])
  form.setValue('name', '')
  expect(form.getView().isDirty).toBe(false)
  form.setValue('name', 'Mia')
  form.reset(form.getValues())
  expect(form.getView().isDirty).toBe(false)
})

test('keeps the same view while errors and flags stay the same', () => {
  const form = makeFormState(blank)
  form.setValue('name', 'M')
  const view = form.getView()
  form.setValue('name', 'Mi')
  form.changeErrors({ name: undefined })
  expect(form.getView()).toBe(view)
})

test('moves errors up with their rows when an earlier row is removed', () => {
  const form = makeFormState(blank)
  form.setErrors({
    name: 'Required',
    'guests.0.name': 'a',
    'guests.1.name': 'b',
    'guests.2.name': 'c',
    guests: 'd',
  })
  form.removeRow('guests', 1)
  expect(form.getView().errors).toEqual({
    name: 'Required',
    guests: 'd',
    'guests.0.name': 'a',
    'guests.1.name': 'c',
  })
  expect(form.getValues().guests).toEqual([{ name: 'Maya' }, { name: 'Ruth' }])
  form.changeErrors({ name: undefined, 'guests.0.name': 'e' })
  expect(form.getView().errors).toEqual({ guests: 'd', 'guests.0.name': 'e', 'guests.1.name': 'c' })
})

test('adds a row at the end and ignores input from a removed row', () => {
  const form = makeFormState<{ guests: { name: string }[] }>({ guests: [] })
  form.insertRow('guests', { name: 'Maya' })
  form.setValue('guests.1.name', 'Sam')
  expect(form.getValues()).toEqual({ guests: [{ name: 'Maya' }] })
})
