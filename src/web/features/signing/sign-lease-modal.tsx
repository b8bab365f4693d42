import { type FormEvent, useId } from 'react'
import {
  consentDisclosure,
  consentSentenceOf,
  type SignedDocument,
} from '../../../domain/leases/lease-signing.ts'
import { useSite } from '../../api/site.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { CheckboxField, RadioGroupField } from '../../ui/choice-fields.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LeaseText } from '../leases/lease-text.tsx'
import { NoticeBox, ScrollBox } from './scroll-box.tsx'
import { SignatureCanvas } from './signature-canvas.tsx'
import { TypedNameField } from './typed-signature.tsx'
import { type SignableLease, useSigning } from './use-signing.ts'

type SignLeaseModalProps = { lease: SignableLease; onClose: () => void; onSigned: () => unknown }
type Signing = ReturnType<typeof useSigning>

/** Shows a lease and lets the tenant sign it. Typed and drawn signatures are discarded when it closes. */
export function SignLeaseModal({ lease, onClose, onSigned }: SignLeaseModalProps) {
  const signing = useSigning(lease, onSigned)
  const { values, busy, text, coApplicant, document } = signing
  const title = document === 'lease' ? 'Sign Lease' : 'Sign addendum'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void signing.submit()
  }
  return (
    <FormDialog
      title={title}
      submit={submit}
      submitLabel={title}
      busyLabel="Signing..."
      busy={busy}
      disabled={!text.data?.text}
      onClose={onClose}
    >
      <div className="grid gap-6">
        <LeaseToRead text={text} document={document} />
        <ConsentDisclosure document={document} />
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
        {coApplicant && document === 'lease' && <CoApplicantEmail signing={signing} />}
        <Consents signing={signing} />
        <FormError>{signing.formError}</FormError>
      </div>
    </FormDialog>
  )
}

function LeaseToRead({ document, text: { data, error, reload } }: Pick<Signing, 'text' | 'document'>) {
  const headingId = useId()
  return (
    <div>
      <h3 id={headingId} className="mb-2 font-semibold text-navy">
        {document === 'lease' ? 'Please read your lease' : 'Please read the addendum'}
      </h3>
      {error ? (
        <ErrorState message={error} onRetry={() => void reload()} className="py-6" />
      ) : (
        <ScrollBox key={data?.sha256} labelledBy={headingId} className="h-[40dvh] min-h-56">
          {data?.text ? (
            <LeaseText text={data.text} headingLevel={4} />
          ) : (
            <Skeleton className="h-full w-full" />
          )}
        </ScrollBox>
      )}
    </div>
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

function CoApplicantEmail({ signing }: { signing: Signing }) {
  return (
    <TextField
      ref={signing.refs.coApplicantEmail}
      label="Co-applicant's email (optional)"
      hint="Their copy of the signed lease goes there. The address is used for nothing else."
      type="email"
      inputMode="email"
      autoComplete="off"
      value={signing.values.coApplicantEmail}
      onChange={event => signing.setValue('coApplicantEmail', event.target.value)}
      error={signing.errorOf('coApplicantEmail')}
    />
  )
}

/** One consent checkbox per signer; with two signers each has the signer's name. */
function Consents({ signing }: { signing: Signing }) {
  const { applicant, coApplicant, document } = signing
  const consentSentence = consentSentenceOf(document)
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

/** The full notice about electronic records, which signers read before they agree. */
function ConsentDisclosure({ document }: { document: SignedDocument }) {
  const site = useSite()
  return <NoticeBox notice={site ? consentDisclosure(site, document) : []} />
}
