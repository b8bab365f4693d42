import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { coApplicantName } from '../../../domain/application.ts'
import {
  coApplicantEmailText,
  noticeSha256,
  type SignLeaseValues,
  signingProblems,
} from '../../../domain/lease-signing.ts'
import { api, failureOf, failureText } from '../../api/api.ts'
import { type Site, useSite } from '../../api/site.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { watchGoingOn } from '../../forms/going-on.ts'
import { focusWithError } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { SignatureCanvasHandle } from './signature-canvas.tsx'
import { renderTypedSignature } from './typed-signature.ts'

export type SignableLease = {
  id: string
  firstName: string
  lastName: string
  secondApplicantFirstName: string
  secondApplicantLastName: string
}

type Field = Exclude<keyof SignLeaseValues, 'id' | 'leaseTextSha256' | 'noticeSha256'>
type Problem = { field: string; message: string }

/** What the Sign Lease modal holds and does: the text that is shown, how it is signed, and what is missing. */
export function useSigning(lease: SignableLease, onSigned: () => unknown) {
  const [mode, setModeState] = useState<'type' | 'draw'>('type')
  const [typedName, setTypedName] = useState('')
  const [typedName2, setTypedName2] = useState('')
  const [consent, setConsent] = useState(false)
  const [consent2, setConsent2] = useState(false)
  const [coApplicantEmail, setCoApplicantEmail] = useState('')
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const refs = {
    consent: useRef<HTMLInputElement>(null),
    consent2: useRef<HTMLInputElement>(null),
    coApplicantEmail: useRef<HTMLInputElement>(null),
    typedName: useRef<HTMLInputElement>(null),
    typedName2: useRef<HTMLInputElement>(null),
    signatureImageBase64: useRef<SignatureCanvasHandle>(null),
    signatureImageBase64_2: useRef<SignatureCanvasHandle>(null),
  }
  // The text on the screen is the one that gets signed: it never changes on its own while it is being read.
  const preview = api.leases.preview.useQuery(
    { id: lease.id },
    {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  )
  const call = api.leases.sign.useMutation()
  const coApplicant = coSigner(lease)
  const site = useSite()

  const forgive = (field: Field) => setProblems(left => left.filter(problem => problem.field !== field))
  const complain = (found: readonly Problem[], hasGoneOn: boolean) => {
    // On the screen before the focus moves, so that the sentence comes into sight with its field.
    flushSync(() => setProblems(found))
    const [first] = found
    if (hasGoneOn || !first || !Object.hasOwn(refs, first.field)) return
    const control = refs[first.field as keyof typeof refs].current
    if (control instanceof HTMLElement) focusWithError(control)
    else control?.focus()
  }

  const collect = async () => {
    const isTyped = mode === 'type'
    const names = { typedName: isTyped ? typedName.trim() : '', typedName2: isTyped ? typedName2.trim() : '' }
    const imageOf = async (name: string, canvas: SignatureCanvasHandle | null) =>
      isTyped ? (name ? await renderTypedSignature(name) : '') : (canvas?.read() ?? '')
    return {
      mode,
      ...names,
      signatureImageBase64: await imageOf(names.typedName, refs.signatureImageBase64.current),
      signatureImageBase64_2: coApplicant
        ? await imageOf(names.typedName2, refs.signatureImageBase64_2.current)
        : '',
      consent,
      ...(coApplicant && { consent2, coApplicantEmail }),
    }
  }

  const submit = async () => {
    if (busy || !preview.data) return
    setRefusal(undefined)
    setBusy(true)
    const watch = watchGoingOn()
    try {
      const signature = await collect()
      const missing = [
        ...signingProblems(signature, coApplicant !== undefined),
        ...emailProblems(signature.coApplicantEmail),
      ]
      complain(missing, watch.hasGoneOn())
      if (missing.length > 0) return
      const { leaseTextSha256 } = preview.data
      const noticeSha256 = await hashOfNotice(site)
      await call.mutateAsync({ id: lease.id, ...signature, leaseTextSha256, noticeSha256 })
      toast.success('Lease signed successfully')
      await onSigned()
    } catch (error) {
      const { title, detail, fields } = toastFailure(error, {
        failed: 'Failed to sign lease',
        threw: 'Error signing lease',
      })
      setRefusal(detail ?? title)
      const refused = Object.entries(fields).map(([field, message]) => ({ field, message }))
      complain(refused, watch.hasGoneOn())
      if (isConflict(error)) await readAgain()
    } finally {
      watch.stop()
      setBusy(false)
    }
  }

  /** The lease may be another one by now: it is shown as it is, and whoever agreed to the old one is asked again. */
  const readAgain = async () => {
    const before = preview.data?.leaseTextSha256
    const { data } = await preview.refetch()
    if (data && data.leaseTextSha256 !== before) {
      setConsent(false)
      setConsent2(false)
    }
  }

  return {
    mode,
    /** What was typed or drawn the other way is gone. */
    setMode: (next: 'type' | 'draw') => {
      setModeState(next)
      setTypedName('')
      setTypedName2('')
      setProblems([])
      setRefusal(undefined)
    },
    typedName,
    setTypedName: (name: string) => {
      setTypedName(name)
      forgive('typedName')
    },
    typedName2,
    setTypedName2: (name: string) => {
      setTypedName2(name)
      forgive('typedName2')
    },
    consent,
    setConsent: (given: boolean) => {
      setConsent(given)
      forgive('consent')
    },
    consent2,
    setConsent2: (given: boolean) => {
      setConsent2(given)
      forgive('consent2')
    },
    coApplicantEmail,
    setCoApplicantEmail: (email: string) => {
      setCoApplicantEmail(email)
      forgive('coApplicantEmail')
    },
    refs,
    refusal,
    busy,
    forgive,
    errorOf: (field: Field) => problems.find(problem => problem.field === field)?.message,
    submit,
    text: preview.data?.leaseText,
    textSha256: preview.data?.leaseTextSha256,
    /** Why the lease cannot be shown. */
    unreadable:
      preview.isError && !preview.data
        ? failureText(preview.error, { failed: 'Failed to load preview', threw: 'Error loading preview' })
        : undefined,
    reload: () => void preview.refetch(),
    applicant: `${lease.firstName} ${lease.lastName}`,
    coApplicant,
  }
}

/** Somebody else signs only where both names are there (SIGN-08). */
function coSigner(lease: SignableLease): string | undefined {
  return lease.secondApplicantFirstName && lease.secondApplicantLastName ? coApplicantName(lease) : undefined
}

function emailProblems(email = ''): Problem[] {
  const [issue] = coApplicantEmailText.safeParse(email).error?.issues ?? []
  return issue ? [{ field: 'coApplicantEmail', message: issue.message }] : []
}

/** Without TLS a browser cannot hash: then the notice is not confirmed, and the certificate says so. */
async function hashOfNotice(site: Site | undefined): Promise<string | undefined> {
  return site && globalThis.isSecureContext ? noticeSha256(site) : undefined
}

function isConflict(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === 409
}
