import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import type { FieldErrors } from '../../../domain/errors.ts'

/** A form checked by its shared schema: on submit, then live on each field that was marked. */
export function useZodForm<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  defaultValues: DefaultValues<Input>,
  mode: 'onSubmit' | 'onTouched' = 'onSubmit',
) {
  return useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues,
    mode,
    reValidateMode: 'onChange',
    shouldFocusError: true,
  })
}

/** Puts the server's messages at their fields and the focus on the first; false when none belongs to this form. */
export function showFieldErrors<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  fields: FieldErrors,
): boolean {
  const known = Object.entries(fields).filter(
    ([name]) => name !== '' && form.getValues(name as FieldPath<Input>) !== undefined,
  )
  for (const [index, [name, message]] of known.entries()) {
    form.setError(name as FieldPath<Input>, { message }, { shouldFocus: index === 0 })
  }
  return known.length > 0
}
