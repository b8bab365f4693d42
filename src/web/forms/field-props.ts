import type { FieldPath, FieldValues, RegisterOptions, UseFormReturn } from 'react-hook-form'

/** What a field of `ui` needs of its form: `<TextField label="Name" {...field('name')} />`. */
export function fieldPropsOf<Input extends FieldValues, Output>({
  register,
  getFieldState,
  formState,
}: UseFormReturn<Input, unknown, Output>) {
  return <Name extends FieldPath<Input>>(name: Name, options?: RegisterOptions<Input, Name>) => ({
    ...register(name, options),
    error: getFieldState(name, formState).error?.message,
  })
}

export type FieldPropsOf<Input extends FieldValues> = ReturnType<typeof fieldPropsOf<Input, unknown>>
