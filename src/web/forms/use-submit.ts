import { type FormEvent, useRef, useState } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { FieldErrors } from '../../domain/common/errors.ts'
import { failureOf } from '../api/failures.ts'
import { type ToastTexts, toastFailure } from './failure-toast.ts'
import { watchInteraction } from './interaction-watch.ts'

type Form<Values extends FieldValues, Output> = Pick<
  UseFormReturn<Values, unknown, Output>,
  'handleSubmit' | 'getFieldState' | 'getValues' | 'setError'
>

/**
 * Submits a valid form, once at a time. Errors are shown at their fields, unless `atFields` is false, and above the form
 * with the text that `explain` returns. The first field with an error gets the focus, unless the person has moved on
 * before the server answered. `load` gets the form; public pages load its code then.
 */
export function useFormSubmit<Values extends FieldValues, Output, Message = string>(
  load: Form<Values, Output> | (() => Promise<Form<Values, Output>>),
  send: (output: Output) => Promise<void>,
  explain: (error: unknown, isAtField: boolean) => Message | undefined,
  { atFields = true, onInvalid }: { atFields?: boolean; onInvalid?: () => void } = {},
) {
  const [formError, setFormError] = useState<Message>()
  const [busy, setBusy] = useState(false)
  const isUnderWay = useRef(false)

  const run = async (element: HTMLFormElement) => {
    const form = typeof load === 'function' ? await load() : load
    const isInvalid = (name: string) => form.getFieldState(name as FieldPath<Values>).invalid
    const onValid = async (output: Output) => {
      setFormError(undefined)
      const watch = watchInteraction()
      await send(output).catch(error => {
        const failure = failureOf(error)
        const isAtField =
          atFields && failure.kind === 'refused' && showFieldErrors(form, element, failure.fields)
        if (!watch.hasInteracted()) focusFirst(element, isInvalid)
        const message = explain(error, isAtField)
        setFormError(() => message)
      })
      watch.stop()
    }
    const onWrong = () => {
      setFormError(undefined)
      focusFirst(element, isInvalid)
      onInvalid?.()
    }
    await form.handleSubmit(onValid, onWrong)()
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    try {
      await run(event.currentTarget)
    } catch (error) {
      // Its code could not be loaded.
      setFormError(() => explain(error, false))
    }
    isUnderWay.current = false
    setBusy(false)
  }
  return { submit, formError, setFormError, busy }
}

/** Like `useFormSubmit`, but also shows a toast. What stands at its field stands nowhere else. */
export function useSubmit<Values extends FieldValues, Output>(
  form: Form<Values, Output>,
  texts: ToastTexts,
  send: (output: Output) => Promise<void>,
) {
  const { submit, formError, busy } = useFormSubmit(form, send, (error, isAtField) => {
    const { message } = toastFailure(error, texts, undefined, isAtField)
    return isAtField ? undefined : message
  })
  return { submit, formError, busy }
}

/** Shows the server's messages at their fields; true if each of them has its field on the screen. */
function showFieldErrors<Values extends FieldValues, Output>(
  form: Form<Values, Output>,
  element: HTMLFormElement,
  errors: FieldErrors,
): boolean {
  const shown = Object.entries(errors).map(([key, message]) => {
    // Settings forms send a section's fields inside `body`.
    const name = key.replace(/^body\./, '') as FieldPath<Values>
    if (name === '' || form.getValues(name) === undefined) return false
    form.setError(name, { type: 'server', message })
    return fieldsOf(element).some(field => field.name === name)
  })
  return shown.length > 0 && shown.every(Boolean)
}

/** Focuses the first of these fields in document order. */
function focusFirst(form: HTMLFormElement, isWanted: (name: string) => boolean): void {
  fieldsOf(form)
    .find(({ name }) => isWanted(name))
    ?.focus()
}

const isField = (element: Element): element is HTMLInputElement => 'name' in element && element.name !== ''
const fieldsOf = (form: HTMLFormElement) => [...form.elements].filter(isField)
