import { expect, test, vi } from 'vitest'
import { makeFormState } from './form-state.ts'

const blank = {
  name: '',
  address: { city: '' },
  guests: [{ name: 'Maya' }, { name: 'Sam' }, { name: 'Ruth' }],
}

test('a value changes alone, and whoever watches learns of it', () => {
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

test('a form is changed until its values are again what it began with', () => {
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

test('what nobody sees changed is no new view', () => {
  const form = makeFormState(blank)
  form.setValue('name', 'M')
  const view = form.getView()
  form.setValue('name', 'Mi')
  form.changeErrors({ name: undefined })
  expect(form.getView()).toBe(view)
})

test('messages move up with their rows', () => {
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

test('a row is added at the end; what is typed in a row that is gone changes nothing', () => {
  const form = makeFormState<{ guests: { name: string }[] }>({ guests: [] })
  form.insertRow('guests', { name: 'Maya' })
  form.setValue('guests.1.name', 'Sam')
  expect(form.getValues()).toEqual({ guests: [{ name: 'Maya' }] })
})
