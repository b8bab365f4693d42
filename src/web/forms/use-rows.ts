import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useWatch, type ZodForm } from './zod-form.ts'

type ListName<Values> = {
  [Key in keyof Values & string]-?: NonNullable<Values[Key]> extends readonly unknown[] ? Key : never
}[keyof Values & string]
type Row<Values, Name extends keyof Values> =
  NonNullable<Values[Name]> extends readonly (infer Item)[] ? Item : never

/** The rows of a list with stable keys. Adding a row focuses the row; removing a row focuses the Add button. */
export function useRows<Values extends object, Name extends ListName<Values>>(
  form: ZodForm<Values>,
  name: Name,
) {
  const count = useWatch(form, values => (values[name] as unknown[] | undefined)?.length ?? 0)
  const [keys, setKeys] = useState<readonly number[]>([])
  const lastKey = useRef(0)
  const addButton = useRef<HTMLButtonElement>(null)
  // Initial rows have no key yet.
  const rows = Array.from({ length: count }, (_, index) => keys[index] ?? -1 - index)
  const add = (row: Row<Values, Name>) => {
    lastKey.current += 1
    flushSync(() => {
      setKeys([...rows, lastKey.current])
      form.insertRow(name, row)
    })
    form.focusFirst(field => field.startsWith(`${name}.${count}.`))
  }
  const remove = (index: number) => {
    flushSync(() => {
      setKeys(rows.toSpliced(index, 1))
      form.removeRow(name, index)
    })
    addButton.current?.focus()
  }
  return { rows, add, remove, addButton }
}
