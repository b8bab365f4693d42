import { type BaseSyntheticEvent, useEffect, useEffectEvent } from 'react'
import {
  type FieldErrors as FieldErrorsOf,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type Resolver,
  type SubmitErrorHandler,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import type { FieldErrors } from '../../domain/errors.ts'
import { toast } from '../ui/toast.ts'
import { watchInteraction } from './interaction-watch.ts'

/** The watch of each form's last submit, by the form's control. */
const submitWatches = new WeakMap<object, ReturnType<typeof watchInteraction>>()
const touches = ['pointerdown', 'keydown', 'input'] as const
const unavailable = 'unavailable'

type HandleSubmit<Input extends FieldValues, Output> = <Result>(
  onValid: (values: Output, event?: BaseSyntheticEvent) => Result,
  onInvalid?: SubmitErrorHandler<Input>,
  /** Says with the form's own text that it cannot be sent: its schema cannot be loaded. */
  onUnavailable?: (error: Error) => unknown,
) => (event?: BaseSyntheticEvent) => Promise<Awaited<Result> | undefined>

export type ZodForm<Input extends FieldValues, Output> = Omit<
  UseFormReturn<Input, unknown, Output>,
  'handleSubmit'
> & { handleSubmit: HandleSubmit<Input, Output> }

/**
 * A form that its shared schema validates: on submit, then live on each field with an error. The schema is loaded at
 * the first press or key, at the latest when the form is submitted.
 */
export function useZodForm<Input extends FieldValues, Output>(
  loadSchema: () => Promise<z.ZodType<Output, Input>>,
  defaultValues: NonNullable<UseFormProps<Input>['defaultValues']>,
  mode: 'onSubmit' | 'onTouched' = 'onSubmit',
): ZodForm<Input, Output> {
  const form = useForm<Input, unknown, Output>({
    resolver: resolverOf(loadSchema),
    defaultValues,
    mode,
    reValidateMode: 'onChange',
    // The library would move the focus again a moment later, when somebody may be typing elsewhere.
    shouldFocusError: false,
  })
  usePreload(loadSchema)
  const handleSubmit: HandleSubmit<Input, Output> = (onValid, onInvalid, onUnavailable = sayUnavailable) =>
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
        if (errors.root?.type === unavailable) return onUnavailable(new Error(errors.root.message))
        focusFirst(Object.values(errors).flatMap(controlsOf))
        return onInvalid?.(errors, event)
      },
    )
  return { ...form, handleSubmit }
}

/** Validates with a schema that is loaded first. */
function resolverOf<Input extends FieldValues, Output>(
  loadSchema: () => Promise<z.ZodType<Output, Input>>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    const loaded = await loadAll(loadSchema).catch(() => undefined)
    if (!loaded) return notLoaded<Input>()
    const [{ zodResolver }, schema] = loaded
    return zodResolver(schema)(values, context, options)
  }
}

/** As an error of the whole form, which a submit finds. */
const notLoaded = <Input extends FieldValues>() => ({
  values: {},
  errors: { root: { type: unavailable, message: 'Its schema could not be loaded' } } as FieldErrorsOf<Input>,
})

const loadAll = <Schema>(loadSchema: () => Promise<Schema>) =>
  Promise.all([import('@hookform/resolvers/zod'), loadSchema()])

/** Loads a schema as soon as somebody does something on the page; a field that has the focus from the start is not that. */
function usePreload(loadSchema: () => Promise<unknown>): void {
  const load = useEffectEvent(() => void loadAll(loadSchema).catch(() => undefined))
  useEffect(() => {
    const stop = () => {
      for (const name of touches) document.removeEventListener(name, onTouch, true)
    }
    const onTouch = () => {
      stop()
      load()
    }
    for (const name of touches) document.addEventListener(name, onTouch, { capture: true, passive: true })
    return stop
  }, [])
}

const sayUnavailable = () => toast.error('This part of the page could not be loaded. Please try again.')

/** What a field of `ui` needs of its form: `<TextField label="Name" {...field('name')} />`. */
export function fieldPropsOf<Input extends FieldValues, Output>({
  register,
  getFieldState,
  formState,
}: Pick<UseFormReturn<Input, unknown, Output>, 'register' | 'getFieldState' | 'formState'>) {
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
  form: ZodForm<Input, Output>,
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
