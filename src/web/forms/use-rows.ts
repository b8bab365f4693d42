import { useRef } from 'react'
import { flushSync } from 'react-dom'
import {
  type FieldArrayPath,
  type FieldValues,
  type UseFieldArrayProps,
  useFieldArray,
} from 'react-hook-form'

/** `useFieldArray`, which focuses a row that is added. Removing a row focuses the Add button. */
export function useRows<Values extends FieldValues, Name extends FieldArrayPath<Values>, Output>(
  list: UseFieldArrayProps<Values, Name, 'id', Output>,
) {
  const { fields, append, remove } = useFieldArray(list)
  const addButton = useRef<HTMLButtonElement>(null)
  return {
    fields,
    append,
    remove: (index: number) => {
      // At the maximum of rows, the button appears or is enabled only now.
      flushSync(() => remove(index))
      addButton.current?.focus()
    },
    addButton,
  }
}
