import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'

type ZodSchema<Values, Output> = z.ZodType<Output, Values>

export type ZodForm<Values extends FieldValues, Output = Values> = UseFormReturn<Values, unknown, Output>

/** A form validated by its shared schema, or by one that is built for each validation: on submit, then on each change. */
export function useZodForm<Values extends FieldValues, Output>(
  schema: ZodSchema<Values, Output> | (() => ZodSchema<Values, Output>),
  defaultValues: NoInfer<DefaultValues<Values>>,
  mode: NonNullable<UseFormProps['mode']> = 'onSubmit',
): ZodForm<Values, Output> {
  const resolver: Resolver<Values, unknown, Output> = (...args) => {
    const resolve = zodResolver(typeof schema === 'function' ? schema() : schema)
    return (resolve as Resolver<Values, unknown, Output>)(...args)
  }
  // `useFormSubmit` moves the focus: the library would take the order in which the fields appeared.
  return useForm({ resolver, defaultValues, mode, shouldFocusError: false })
}

type Fields<Values extends FieldValues> = Pick<
  UseFormReturn<Values>,
  'register' | 'getFieldState' | 'formState'
>

/** The props that a field component in `ui` needs from its form: `<TextField label="Name" {...field('name')} />`. */
export function fieldPropsOf<Values extends FieldValues>(form: Fields<Values>) {
  return <Name extends FieldPath<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => ({
    ...form.register(name, options),
    error: messageAt(form, name),
  })
}

export type FieldPropsOf<Values extends FieldValues> = ReturnType<typeof fieldPropsOf<Values>>

/** The message of a field or list; the library keeps a list's own message beside those of its rows. */
export function messageAt<Values extends FieldValues>(
  { getFieldState, formState }: Omit<Fields<Values>, 'register'>,
  name: FieldPath<Values>,
): string | undefined {
  const { error } = getFieldState(name, formState)
  return error?.root?.message ?? error?.message
}
