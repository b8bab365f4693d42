import type { ReactNode } from 'react'
import { CheckboxField, RadioGroupField } from '../../ui/choice-fields.tsx'
import { SignatureCanvas } from './signature-canvas.tsx'
import { TypedNameField } from './typed-signature.tsx'
import type { useSignature } from './use-signature.ts'

type Signing = ReturnType<typeof useSignature> & {
  /** The name of the first signer. */
  applicant: string
  /** The name of the second one, if two people sign. */
  coApplicant?: string | undefined
}

type SignatureFieldsProps = {
  signing: Signing
  consentSentence: string
  /** Between the signatures and the consents. */
  children?: ReactNode
}

/** How somebody signs, the signatures, and the consents. */
export function SignatureFields({ children, consentSentence, signing }: SignatureFieldsProps) {
  const { values } = signing
  return (
    <>
      <RadioGroupField
        label="How would you like to sign?"
        name="mode"
        cards
        value={values.mode}
        onChange={event => signing.setMode(event.target.value === 'draw' ? 'draw' : 'type')}
        options={[
          { value: 'type', label: 'Type', hint: 'Type your name, and we turn it into your signature.' },
          { value: 'draw', label: 'Draw', hint: 'Sign with a finger, a pen or a mouse.' },
        ]}
      />
      {values.mode === 'type' ? <TypedNames signing={signing} /> : <Drawings signing={signing} />}
      {children}
      <Consents signing={signing} consentSentence={consentSentence} />
    </>
  )
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
function Consents({ consentSentence, signing }: Omit<SignatureFieldsProps, 'children'>) {
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
