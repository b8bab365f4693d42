import { zodResolver } from '@hookform/resolvers/zod'
import {
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import type { FieldErrors } from '../../domain/errors.ts'
import { watchInteraction } from './interaction-watch.ts'

/** The watch of each form's last submit, by the form's control. */
const submitWatches = new WeakMap<object, ReturnType<typeof watchInteraction>>()

/** A form that its shared schema validates: on submit, then live on each field with an error. */
export function useZodForm<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  defaultValues: NonNullable<UseFormProps<Input>['defaultValues']>,
  mode: 'onSubmit' | 'onTouched' = 'onSubmit',
): UseFormReturn<Input, unknown, Output> {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues,
    mode,
    reValidateMode: 'onChange',
    // The library would move the focus again a moment later, when somebody may be typing elsewhere.
    shouldFocusError: false,
  })
  const handleSubmit: typeof form.handleSubmit = (onValid, onInvalid) =>
    form.handleSubmit(
      async (values, event) => {
        const watch = watchInteraction()
        submitWatches.set(form.control, watch)
        try {
          return await onValid(values, event)
        } finally {
          watch.stop()
        }
      },
      (errors, event) => {
        focusFirst(Object.values(errors).flatMap(controlsOf))
        return onInvalid?.(errors, event)
      },
    )
  return { ...form, handleSubmit }
}

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

/**
 * Shows the server's messages at their fields and focuses the first, unless the person has moved on meanwhile; false
 * when none belongs to this form.
 */
export function showFieldErrors<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  fields: FieldErrors,
): boolean {
  const known = Object.entries(fields).filter(
    ([name]) => name !== '' && form.getValues(name as FieldPath<Input>) !== undefined,
  )
  for (const [name, message] of known) form.setError(name as FieldPath<Input>, { message })
  if (!submitWatches.get(form.control)?.hasInteracted())
    focusFirst(known.flatMap(([name]) => controlsOf(form.getFieldState(name as FieldPath<Input>).error)))
  return known.length > 0
}

/** The controls with an error; a group of fields holds an error for each. */
function controlsOf(error: unknown): HTMLElement[] {
  if (error instanceof HTMLElement) return [error]
  const isGroup = typeof error === 'object' && error !== null && !(error instanceof Node)
  return isGroup ? Object.values(error).flatMap(controlsOf) : []
}

function focusFirst(controls: HTMLElement[]): void {
  const [first] = controls.toSorted((a, b) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )
  first?.focus()
}
