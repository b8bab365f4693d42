import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  type UseFormReturn,
} from 'react-hook-form'

/** A function that ties a control to its field: `<TextField label="Phone" {...field('phone')} />`. */
export function fieldPropsOf<Input extends FieldValues, Output>({
  register,
  formState,
}: Pick<UseFormReturn<Input, unknown, Output>, 'register' | 'formState'>) {
  const { errors } = formState
  return (name: FieldPath<Input>, options?: RegisterOptions<Input>) => ({
    ...register(name, options),
    error: (get(errors, name) as FieldError | undefined)?.message,
  })
}
