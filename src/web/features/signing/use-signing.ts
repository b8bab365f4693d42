import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { coSignerName } from '../../../domain/bookings/people.ts'
import type { FieldErrors } from '../../../domain/common/errors.ts'
import { noticeSha256, type SignedDocument, signingErrors } from '../../../domain/leases/lease-signing.ts'
import { coApplicantEmailText, type SignLeaseValues } from '../../../domain/leases/lease-signing-form.ts'
import { api } from '../../api/api.ts'
import { failureOf, failureText } from '../../api/failures.ts'
import { type Site, useSite } from '../../api/site.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { watchInteraction } from '../../forms/interaction-watch.ts'
import { focusWithError } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import type { SignatureCanvasHandle } from './signature-canvas.tsx'
import { renderTypedSignature } from './typed-signature.tsx'

export type SignableLease = {
  id: string
  firstName: string
  lastName: string
  secondApplicantFirstName: string
  secondApplicantLastName: string
  /** The addendum to sign instead of the lease. */
  addendumId?: string
}

type FieldError = { field: string; message: string }

const emptyValues = {
  mode: 'type' as 'type' | 'draw',
  typedName: '',
  typedName2: '',
  consent: false,
  consent2: false,
  coApplicantEmail: '',
}
type Values = typeof emptyValues

const failureTexts = (document: SignedDocument) => ({
  failed: `Failed to sign ${document}`,
  noResponse: `Error signing ${document}`,
})

/** State and actions of the Sign Lease dialog. */
export function useSigning(lease: SignableLease, onSigned: () => unknown) {
  const [formError, setFormError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { values, setValue, setMode, withdrawConsent } = useSigningValues()
  const { refs, errorOf, setErrors, clearError } = useSigningFields()
  const { addendumId } = lease
  const document: SignedDocument = addendumId ? 'addendum' : 'lease'
  const text = useTextToSign(lease)
  const sign = api.leases.sign.useMutation()
  const signAddendum = api.addenda.sign.useMutation()
  // While invitations are out everybody signs alone.
  const invited = api.signing.get.useQuery(
    { applicationId: lease.id, addendumId },
    { enabled: addendumId !== undefined },
  )
  const coApplicant = invited.data?.signing?.state === 'open' ? undefined : coSignerName(lease)
  const site = useSite()

  const submit = async () => {
    if (busy || !text.data) return
    setFormError(undefined)
    setBusy(true)
    const watch = watchInteraction()
    try {
      const signature = await readSignature(values, refs, coApplicant !== undefined)
      const missing = problemsOf(signature, coApplicant !== undefined)
      setErrors(missing, watch.hasInteracted())
      if (missing.length > 0) return
      const { sha256 } = text.data
      if (addendumId) {
        const { noticeSha256 } = text.data
        await signAddendum.mutateAsync({ addendumId, ...signature, addendumTextSha256: sha256, noticeSha256 })
      } else {
        const noticeSha256 = await hashOfNotice(site)
        await sign.mutateAsync({ id: lease.id, ...signature, leaseTextSha256: sha256, noticeSha256 })
      }
      toast.success(addendumId ? 'Addendum signed' : 'Lease signed successfully')
      await onSigned()
    } catch (error) {
      const { message, fields } = toastFailure(error, failureTexts(document))
      setFormError(message)
      setErrors(errorsOf(fields), watch.hasInteracted())
      // If the lease text has changed, the signers have to agree again.
      if (isConflict(error) && (await text.reload()) === 'changed') withdrawConsent()
    } finally {
      watch.stop()
      setBusy(false)
    }
  }

  return {
    values,
    setValue: <Name extends keyof Values>(name: Name, value: Values[Name]) => {
      setValue(name, value)
      clearError(name)
    },
    /** Changes the mode and discards the signatures entered in the other mode. */
    setMode: (mode: Values['mode']) => {
      setMode(mode)
      setErrors([], true)
      setFormError(undefined)
    },
    refs,
    errorOf,
    clearError,
    formError,
    busy,
    submit,
    text,
    document,
    applicant: `${lease.firstName} ${lease.lastName}`,
    coApplicant,
  }
}

/** The values of the form: names, mode and consents. */
function useSigningValues() {
  const [values, setValues] = useState(emptyValues)
  const change = (changed: Partial<Values>) => setValues(before => ({ ...before, ...changed }))
  return {
    values,
    setValue: <Name extends keyof Values>(name: Name, value: Values[Name]) => change({ [name]: value }),
    setMode: (mode: Values['mode']) => change({ mode, typedName: '', typedName2: '' }),
    withdrawConsent: () => change({ consent: false, consent2: false }),
  }
}

/** The fields' refs and errors. New errors move the focus to the first of their fields, unless the person has moved the focus. */
function useSigningFields() {
  const [errors, setFieldErrors] = useState<readonly FieldError[]>([])
  // In the order of the dialog.
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
    errorOf: (field: keyof SignLeaseValues) => errors.find(error => error.field === field)?.message,
    clearError: (field: keyof SignLeaseValues) =>
      setFieldErrors(left => left.filter(error => error.field !== field)),
  }
}

type TextToSign = { text: string; sha256: string; noticeSha256?: string }

/** The text to sign. It never refetches automatically, so that it does not change while somebody reads it. */
function useTextToSign({ addendumId, id }: SignableLease) {
  const once = {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  }
  const lease = api.leases.preview.useQuery(
    { id },
    {
      ...once,
      enabled: !addendumId,
      select: (data): TextToSign => ({ text: data.leaseText, sha256: data.leaseTextSha256 }),
    },
  )
  const addendum = api.addenda.get.useQuery(
    { addendumId: addendumId ?? '' },
    {
      ...once,
      enabled: !!addendumId,
      select: ({ addendumText, addendumTextSha256, noticeSha256 }): TextToSign => ({
        text: addendumText,
        sha256: addendumTextSha256,
        noticeSha256,
      }),
    },
  )
  const preview = addendumId ? addendum : lease
  return {
    data: preview.data,
    /** Why the lease cannot be shown. */
    error:
      preview.isError && !preview.data
        ? failureText(preview.error, {
            failed: 'Failed to load preview',
            noResponse: 'Error loading preview',
          })
        : undefined,
    reload: async () => {
      const { data } = await preview.refetch()
      return data && data.sha256 !== preview.data?.sha256 ? 'changed' : 'same'
    },
  }
}

type Refs = ReturnType<typeof useSigningFields>['refs']

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

type Signature = Awaited<ReturnType<typeof readSignature>>

/** All problems that prevent the signature from being sent. */
function problemsOf(signature: Signature, hasCoApplicant: boolean): FieldError[] {
  return [...signingErrors(signature, hasCoApplicant), ...emailErrors(signature.coApplicantEmail)]
}

function emailErrors(email = ''): FieldError[] {
  const [issue] = coApplicantEmailText.safeParse(email).error?.issues ?? []
  return issue ? [{ field: 'coApplicantEmail', message: issue.message }] : []
}

/**
 * Browsers can hash only in a secure context. Without the hash the certificate states that the notice is not confirmed.
 */
async function hashOfNotice(site: Site | undefined): Promise<string | undefined> {
  return site && globalThis.isSecureContext ? noticeSha256(site) : undefined
}

function errorsOf(fields: FieldErrors): FieldError[] {
  return Object.entries(fields).map(([field, message]) => ({ field, message }))
}

function isConflict(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === 409
}
