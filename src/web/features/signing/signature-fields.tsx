import { type MouseEvent, type ReactNode, useId } from 'react'
import { CheckboxField, RadioGroupField } from '../../ui/choice-fields.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LeaseText } from '../leases/lease-text.tsx'
import { type Notice, NoticeBox, ScrollBox } from './scroll-box.tsx'
import { SignatureCanvas } from './signature-canvas.tsx'
import { TypedNameField } from './typed-signature.tsx'
import type { useSignature } from './use-signature.ts'

type Signing = ReturnType<typeof useSignature> & {
  /** The name of the first signer. */
  applicant: string
  /** The name of the second one, if two people sign. */
  coApplicant?: string | undefined
}

type DocumentToSignProps = {
  title: string
  /** The text is missing while it loads. */
  toSign: { text?: string; textSha256?: string; notice: Notice; consentSentence: string }
  /** Why the text cannot be shown. */
  error?: string | undefined
  onRetry?: () => unknown
  /** The height of the text. */
  height?: string
  signing: Signing
  /** Between the signatures and the consents. */
  children?: ReactNode
}

/** The text and the notice to read, how somebody signs, the signatures, and the consents. */
export function DocumentToSign({
  children,
  error,
  onRetry,
  signing,
  title,
  toSign,
  ...props
}: DocumentToSignProps) {
  const { height = 'min-h-64 sm:h-[45dvh]' } = props
  const headingId = useId()
  const { text, textSha256 } = toSign
  const { formError, setMode, values } = signing
  return (
    <div className="grid gap-6">
      <div>
        <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4">
          <h3 id={headingId} className="font-semibold text-navy">
            {title}
          </h3>
          {/* On a phone, where the text is shown in full. */}
          <button type="button" onClick={goToSignature} className="-my-2.5 min-h-11 link sm:hidden">
            To the signature
          </button>
        </div>
        {error ? (
          <ErrorState message={error} onRetry={() => void onRetry?.()} className="py-6" />
        ) : (
          <ScrollBox key={textSha256} labelledBy={headingId} className={height}>
            {text ? <LeaseText text={text} headingLevel={4} /> : <Skeleton className="h-full w-full" />}
          </ScrollBox>
        )}
      </div>
      <NoticeBox notice={toSign.notice} />
      <RadioGroupField
        label="How would you like to sign?"
        name="mode"
        cards
        value={values.mode}
        onChange={event => setMode(event.target.value === 'draw' ? 'draw' : 'type')}
        options={[
          { value: 'type', label: 'Type', hint: 'Type your name, and we turn it into your signature.' },
          { value: 'draw', label: 'Draw', hint: 'Sign with a finger, a pen or a mouse.' },
        ]}
      />
      {values.mode === 'type' ? <TypedNames signing={signing} /> : <Drawings signing={signing} />}
      {children}
      <Consents signing={signing} consentSentence={toSign.consentSentence} />
      <FormError>{formError}</FormError>
    </div>
  )
}

/** The way of signing is the form's first field. */
function goToSignature({ currentTarget }: MouseEvent<HTMLButtonElement>) {
  const field = currentTarget.form?.querySelector('input')
  field?.scrollIntoView()
  field?.focus()
}

function TypedNames({ signing }: { signing: Signing }) {
  const field = (name: 'typedName' | 'typedName2') => ({
    ref: signing.refs[name],
    value: signing.values[name],
    onChange: (text: string) => signing.setValue(name, text),
    error: signing.errorOf(name),
  })
  return (
    <div className="grid gap-5">
      <TypedNameField label="Your full name" autoComplete="name" {...field('typedName')} />
      {signing.coApplicant && (
        <TypedNameField
          label={`Co-applicant's full name (${signing.coApplicant})`}
          autoComplete="off"
          {...field('typedName2')}
        />
      )}
    </div>
  )
}

function Drawings({ signing }: { signing: Signing }) {
  const field = (name: 'signatureImageBase64' | 'signatureImageBase64_2') => ({
    ref: signing.refs[name],
    error: signing.errorOf(name),
    onDrawn: () => signing.clearError(name),
  })
  return (
    <div className="grid gap-5">
      <SignatureCanvas label={`Your signature (${signing.applicant})`} {...field('signatureImageBase64')} />
      {signing.coApplicant && (
        <SignatureCanvas
          label={`Co-applicant's signature (${signing.coApplicant})`}
          {...field('signatureImageBase64_2')}
        />
      )}
    </div>
  )
}

/** One consent checkbox per signer; with two signers each has the signer's name. */
function Consents({ consentSentence, signing }: { consentSentence: string; signing: Signing }) {
  const { applicant, coApplicant } = signing
  const field = (name: 'consent' | 'consent2') => ({
    ref: signing.refs[name],
    checked: signing.values[name],
    onChange: (event: { target: { checked: boolean } }) => signing.setValue(name, event.target.checked),
    error: signing.errorOf(name),
  })
  return (
    <div className="grid gap-4">
      <CheckboxField
        label={coApplicant ? `${applicant}: ${consentSentence}` : consentSentence}
        required
        {...field('consent')}
      />
      {coApplicant && (
        <CheckboxField label={`${coApplicant}: ${consentSentence}`} required {...field('consent2')} />
      )}
    </div>
  )
}
