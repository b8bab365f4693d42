import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { signingErrors } from '../../../domain/leases/lease-signing.ts'
import { failureOf } from '../../api/failures.ts'
import { watchInteraction } from '../../forms/interaction-watch.ts'
import { focusWithError } from '../../ui/field.tsx'
import type { SignatureCanvasHandle } from './signature-canvas.tsx'
import { renderTypedSignature } from './typed-signature.tsx'

export type FieldError = { field: string; message: string }

const emptyValues = {
  mode: 'type' as 'type' | 'draw',
  typedName: '',
  typedName2: '',
  consent: false,
  consent2: false,
  coApplicantEmail: '',
}
type Values = typeof emptyValues

type SignatureOptions = {
  /** Whether two people sign here. */
  hasCoApplicant?: boolean
  /** Whether there is a text to sign. */
  isReady: boolean
  send: (signature: Signature) => Promise<unknown>
  /** What is wrong besides missing names, drawings and consents. */
  check?: (signature: Signature) => FieldError[]
  /** The text above the fields for a failure. */
  explain: (error: unknown) => string
  /** After a conflict, whether another text is to be agreed to. */
  hasChanged: () => Promise<boolean>
}

/** State and actions of a signature, typed or drawn. */
export function useSignature(options: SignatureOptions) {
  const { check, explain, hasChanged, hasCoApplicant = false, isReady, send } = options
  const [values, setValues] = useState(emptyValues)
  const change = (changed: Partial<Values>) => setValues(before => ({ ...before, ...changed }))
  const [formError, setFormError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { refs, errorOf, setErrors, clearError } = useSignatureFields()

  const submit = async () => {
    if (busy || !isReady) return
    setFormError(undefined)
    setBusy(true)
    const watch = watchInteraction()
    try {
      const signature = await readSignature(values, refs, hasCoApplicant)
      const missing = [...signingErrors(signature, hasCoApplicant), ...(check?.(signature) ?? [])]
      setErrors(missing, watch.hasInteracted())
      if (missing.length === 0) await send(signature)
    } catch (error) {
      setFormError(explain(error))
      const failure = failureOf(error)
      const fields = failure.kind === 'refused' ? Object.entries(failure.fields) : []
      setErrors(
        fields.map(([field, message]) => ({ field, message })),
        watch.hasInteracted(),
      )
      const isConflict = failure.kind === 'refused' && failure.status === 409
      if (isConflict && (await hasChanged())) change({ consent: false, consent2: false })
    } finally {
      watch.stop()
      setBusy(false)
    }
  }

  return {
    values,
    setValue: <Name extends keyof Values>(name: Name, value: Values[Name]) => {
      change({ [name]: value })
      clearError(name)
    },
    /** Changes the mode and discards the signatures entered in the other mode. */
    setMode: (mode: Values['mode']) => {
      change({ mode, typedName: '', typedName2: '' })
      setErrors([], true)
      setFormError(undefined)
    },
    refs,
    errorOf,
    clearError,
    formError,
    busy,
    submit: (event: FormEvent) => {
      event.preventDefault()
      void submit()
    },
  }
}

/** The fields' refs and errors. New errors move the focus to the first of their fields, unless the person has moved the focus. */
function useSignatureFields() {
  const [errors, setFieldErrors] = useState<readonly FieldError[]>([])
  // In the order shown in the dialog.
  const refs = {
    typedName: useRef<HTMLInputElement>(null),
    typedName2: useRef<HTMLInputElement>(null),
    signatureImageBase64: useRef<SignatureCanvasHandle>(null),
    signatureImageBase64_2: useRef<SignatureCanvasHandle>(null),
    coApplicantEmail: useRef<HTMLInputElement>(null),
    consent: useRef<HTMLInputElement>(null),
    consent2: useRef<HTMLInputElement>(null),
  }
  const setErrors = (found: readonly FieldError[], keepFocus: boolean) => {
    // Rendered before the focus moves, so that the error scrolls into view with its field.
    flushSync(() => setFieldErrors(found))
    const [, first] = Object.entries(refs).find(([name]) => found.some(({ field }) => field === name)) ?? []
    const control = first?.current
    if (keepFocus || !control) return
    if (control instanceof HTMLElement) focusWithError(control)
    else control.focus()
  }
  return {
    refs,
    setErrors,
    errorOf: (field: string) => errors.find(error => error.field === field)?.message,
    clearError: (field: string) => setFieldErrors(left => left.filter(error => error.field !== field)),
  }
}

type Refs = ReturnType<typeof useSignatureFields>['refs']

/** The signature that is sent: typed names with their images, or the drawings. */
async function readSignature(values: Values, refs: Refs, hasCoApplicant: boolean) {
  const { mode, consent, consent2, coApplicantEmail } = values
  const isTyped = mode === 'type'
  const typedName = isTyped ? values.typedName.trim() : ''
  const typedName2 = isTyped ? values.typedName2.trim() : ''
  const imageOf = async (name: string, canvas: SignatureCanvasHandle | null) =>
    isTyped ? (name ? await renderTypedSignature(name) : '') : (canvas?.read() ?? '')
  return {
    mode,
    typedName,
    typedName2,
    signatureImageBase64: await imageOf(typedName, refs.signatureImageBase64.current),
    signatureImageBase64_2: hasCoApplicant
      ? await imageOf(typedName2, refs.signatureImageBase64_2.current)
      : '',
    consent,
    ...(hasCoApplicant && { consent2, coApplicantEmail }),
  }
}

export type Signature = Awaited<ReturnType<typeof readSignature>>
