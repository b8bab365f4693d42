import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import type { FieldErrors } from '../../domain/errors.ts'
import { watchGoingOn } from './going-on.ts'

/** Of each form, by its control, whether somebody went on since it was sent last. */
const sent = new WeakMap<object, ReturnType<typeof watchGoingOn>>()

/** A form checked by its shared schema: on submit, then live on each field that was marked. */
export function useZodForm<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  defaultValues: DefaultValues<Input>,
  mode: 'onSubmit' | 'onTouched' = 'onSubmit',
): UseFormReturn<Input, unknown, Output> {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues,
    mode,
    reValidateMode: 'onChange',
    // The library moves the focus a second time a moment later, when somebody may be typing elsewhere.
    shouldFocusError: false,
  })
  const handleSubmit: typeof form.handleSubmit = (onValid, onInvalid) =>
    form.handleSubmit(
      async (values, event) => {
        const watch = watchGoingOn()
        sent.set(form.control, watch)
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

/**
 * Puts the server's messages at their fields and the focus on the first, unless somebody went on meanwhile; false when
 * none belongs to this form.
 */
export function showFieldErrors<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  fields: FieldErrors,
): boolean {
  const known = Object.entries(fields).filter(
    ([name]) => name !== '' && form.getValues(name as FieldPath<Input>) !== undefined,
  )
  for (const [name, message] of known) form.setError(name as FieldPath<Input>, { message })
  if (!sent.get(form.control)?.hasGoneOn())
    focusFirst(known.flatMap(([name]) => controlsOf(form.getFieldState(name as FieldPath<Input>).error)))
  return known.length > 0
}

/** The controls of an error, which may be that of a group of fields. */
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
