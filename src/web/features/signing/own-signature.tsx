import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { signingErrors } from '../../../domain/leases/lease-signing.ts'
import { failureOf, failureText } from '../../api/failures.ts'
import { CheckboxField, RadioGroupField } from '../../ui/choice-fields.tsx'
import { focusWithError } from '../../ui/field.tsx'
import { LeaseText } from '../leases/lease-text.tsx'
import { NoticeBox, ScrollBox } from './scroll-box.tsx'
import { SignatureCanvas, type SignatureCanvasHandle } from './signature-canvas.tsx'
import { renderTypedSignature, TypedNameField } from './typed-signature.tsx'

/** What one person signs, as it is shown. */
export type ToSign = {
  text: string
  textSha256: string
  notice: readonly { title: string; text: string }[]
  noticeSha256: string
  consentSentence: string
}
export type OwnSignature = {
  mode: 'type' | 'draw'
  typedName: string
  signatureImageBase64: string
  consent: boolean
  textSha256: string
  noticeSha256: string
}
type Field = 'typedName' | 'signatureImageBase64' | 'consent'

/** State of one person's signature; `send` stores it. */
export function useOwnSignature(
  toSign: ToSign | undefined,
  send: (signature: OwnSignature) => Promise<void>,
) {
  const [mode, setMode] = useState<'type' | 'draw'>('type')
  const [typedName, setTypedName] = useState('')
  const [consent, setConsent] = useState(false)
  const [busy, setBusy] = useState(false)
  const [formError, setFormError] = useState<string>()
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({})
  const name = useRef<HTMLInputElement>(null)
  const canvas = useRef<SignatureCanvasHandle>(null)
  const tick = useRef<HTMLInputElement>(null)

  const show = (found: Partial<Record<Field, string>>) => {
    flushSync(() => setErrors(found))
    if (found.typedName && name.current) focusWithError(name.current)
    else if (found.signatureImageBase64) canvas.current?.focus()
    else if (found.consent && tick.current) focusWithError(tick.current)
  }
  const submit = async () => {
    if (busy || !toSign) return
    setFormError(undefined)
    setBusy(true)
    try {
      const isTyped = mode === 'type'
      const typed = isTyped ? typedName.trim() : ''
      const image = isTyped ? typed && (await renderTypedSignature(typed)) : (canvas.current?.read() ?? '')
      const { noticeSha256, textSha256 } = toSign
      const signature = {
        mode,
        typedName: typed,
        signatureImageBase64: image,
        consent,
        textSha256,
        noticeSha256,
      }
      const missing = signingErrors({ ...signature, typedName2: '', signatureImageBase64_2: '' }, false)
      show(Object.fromEntries(missing.map(({ field, message }) => [field, message])))
      if (missing.length === 0) await send(signature)
    } catch (error) {
      const failure = failureOf(error)
      setFormError(
        failureText(error, {
          failed: 'The signature could not be stored',
          noResponse: 'The site did not answer. Please try again.',
        }),
      )
      if (failure.kind === 'refused') show(failure.fields)
      // Another text or notice is agreed to anew.
      if (failure.kind === 'refused' && failure.status === 409) setConsent(false)
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    formError,
    submit,
    mode,
    typedName,
    consent,
    errors,
    refs: { name, canvas, tick },
    setMode: (chosen: 'type' | 'draw') => {
      setMode(chosen)
      setErrors({})
    },
    setTypedName: (text: string) => {
      setTypedName(text)
      setErrors(({ typedName: _, ...left }) => left)
    },
    setConsent: (agreed: boolean) => {
      setConsent(agreed)
      setErrors(({ consent: _, ...left }) => left)
    },
    onDrawn: () => setErrors(({ signatureImageBase64: _, ...left }) => left),
  }
}

type OwnSignatureFieldsProps = {
  toSign: ToSign
  signature: ReturnType<typeof useOwnSignature>
  title: string
  signerName: string
}

/** The text and the notice to read, the signature, and the consent. */
export function OwnSignatureFields({ signature, signerName, title, toSign }: OwnSignatureFieldsProps) {
  const headingId = useId()
  const { errors, mode, refs } = signature
  return (
    <>
      <div>
        <h3 id={headingId} className="mb-2 font-semibold text-navy">
          {title}
        </h3>
        <ScrollBox key={toSign.textSha256} labelledBy={headingId} className="h-[45dvh] min-h-64">
          <LeaseText text={toSign.text} headingLevel={4} />
        </ScrollBox>
      </div>
      <NoticeBox notice={toSign.notice} />
      <RadioGroupField
        label="How would you like to sign?"
        name="mode"
        cards
        value={mode}
        onChange={event => signature.setMode(event.target.value === 'draw' ? 'draw' : 'type')}
        options={[
          { value: 'type', label: 'Type', hint: 'Type your name, and we turn it into your signature.' },
          { value: 'draw', label: 'Draw', hint: 'Sign with a finger, a pen or a mouse.' },
        ]}
      />
      {mode === 'type' ? (
        <TypedNameField
          ref={refs.name}
          label="Your full name"
          autoComplete="name"
          value={signature.typedName}
          onChange={signature.setTypedName}
          error={errors.typedName}
        />
      ) : (
        <SignatureCanvas
          ref={refs.canvas}
          label={`Your signature (${signerName})`}
          error={errors.signatureImageBase64}
          onDrawn={signature.onDrawn}
        />
      )}
      <CheckboxField
        ref={refs.tick}
        label={toSign.consentSentence}
        required
        checked={signature.consent}
        onChange={event => signature.setConsent(event.target.checked)}
        error={errors.consent}
      />
    </>
  )
}
