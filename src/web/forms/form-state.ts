import type { FieldErrors } from '../../domain/common/errors.ts'
import { valueAt, withValueAt } from './path.ts'

type View = { errors: FieldErrors; isSubmitting: boolean; isDirty: boolean }

/** The state of a form. Values and view are immutable, so that they can be compared by reference. */
export function makeFormState<Values extends object>(first: Values) {
  const listeners = new Set<() => void>()
  let initial = first
  let values = first
  let view: View = { errors: {}, isSubmitting: false, isDirty: false }

  const show = (changed: Partial<View>) => {
    const next = { ...view, ...changed }
    if (!isSame(next, view)) view = next
    for (const listener of listeners) listener()
  }
  const setValues = (next: Values) => {
    values = next
    show({ isDirty: !isSame(values, initial) })
  }
  const setErrors = (errors: Readonly<Record<string, string | undefined>>) => {
    const found = Object.entries(errors).flatMap(([name, message]) => (message ? [[name, message]] : []))
    show({ errors: Object.fromEntries(found) })
  }
  const rowsOf = (name: string) => (valueAt(values, name) as readonly unknown[] | undefined) ?? []

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    getValues: () => values,
    getView: () => view,
    isDirty: (name: string) => !isSame(valueAt(values, name), valueAt(initial, name)),
    setValue: (name: string, value: unknown) => setValues(withValueAt(values, name, value)),
    /** Replaces all errors. */
    setErrors,
    /** Sets the errors of some fields; undefined removes one. */
    changeErrors: (changed: Readonly<Record<string, string | undefined>>) =>
      setErrors({ ...view.errors, ...changed }),
    setSubmitting: (isSubmitting: boolean) => show({ isSubmitting }),
    reset: (to: Values = initial) => {
      initial = to
      view = { ...view, errors: {} }
      setValues(to)
    },
    insertRow: (name: string, row: unknown) => setValues(withValueAt(values, name, [...rowsOf(name), row])),
    /** Errors of later rows move up with their rows. */
    removeRow: (name: string, index: number) => {
      setValues(withValueAt(values, name, rowsOf(name).toSpliced(index, 1)))
      const moved = Object.entries(view.errors).flatMap(([field, message]) => {
        const [row = '', ...rest] = field.startsWith(`${name}.`)
          ? field.slice(name.length + 1).split('.')
          : []
        if (row === '' || Number(row) < index) return [[field, message]]
        return Number(row) === index ? [] : [[[name, Number(row) - 1, ...rest].join('.'), message]]
      })
      setErrors(Object.fromEntries(moved))
    },
  }
}

export type FormState<Values extends object> = ReturnType<typeof makeFormState<Values>>

/** Compares plain values: strings, numbers, booleans, arrays and objects of them. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
