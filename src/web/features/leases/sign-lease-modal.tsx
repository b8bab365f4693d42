import { type FormEvent, useId } from 'react'
import { consentSentence } from '../../../domain/lease-signing.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField, RadioGroupField } from '../../ui/choice-fields.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ConsentDisclosure, ScrollBox } from './consent-disclosure.tsx'
import { LeaseText } from './lease-preview-dialog.tsx'
import { SignatureCanvas } from './signature-canvas.tsx'
import { TypedNameField } from './typed-name-field.tsx'
import { type SignableLease, useSigning } from './use-signing.ts'

type SignLeaseModalProps = {
  lease: SignableLease
  open: boolean
  onClose: () => void
  /** The lease is signed. */
  onSigned: () => unknown
}

/** Reads and signs a lease. What is typed or drawn is gone when it closes. */
export function SignLeaseModal({ open, ...props }: SignLeaseModalProps) {
  return open ? <OpenModal {...props} /> : null
}

function OpenModal({ lease, onClose, onSigned }: Omit<SignLeaseModalProps, 'open'>) {
  const signing = useSigning(lease, onSigned)
  const formId = useId()
  const { busy, text } = signing
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void signing.submit()
  }
  return (
    <Dialog
      open
      onOpenChange={next => !next && !busy && onClose()}
      title="Sign Lease"
      size="lg"
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!text} busy={busy} busyLabel="Signing...">
            Sign Lease
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-6">
        <LeaseToRead signing={signing} />
        <RadioGroupField
          label="How would you like to sign?"
          name="mode"
          cards
          value={signing.mode}
          onChange={event => signing.setMode(event.target.value === 'draw' ? 'draw' : 'type')}
          options={[
            { value: 'type', label: 'Type', hint: 'Type your name; we write it as your signature.' },
            { value: 'draw', label: 'Draw', hint: 'Sign with a finger, a pen or a mouse.' },
          ]}
        />
        {signing.mode === 'type' ? <TypedNames signing={signing} /> : <Drawings signing={signing} />}
        {signing.coApplicant && (
          <TextField
            ref={signing.refs.coApplicantEmail}
            label="Co-applicant's e-mail (optional)"
            hint="Their copy of the signed lease goes there. The address is used for nothing else."
            type="email"
            inputMode="email"
            autoComplete="off"
            value={signing.coApplicantEmail}
            onChange={event => signing.setCoApplicantEmail(event.target.value)}
            error={signing.errorOf('coApplicantEmail')}
          />
        )}
        <ConsentDisclosure />
        <Consents signing={signing} />
        <FormError>{signing.refusal}</FormError>
      </form>
    </Dialog>
  )
}

type Signing = ReturnType<typeof useSigning>

function LeaseToRead({ signing }: { signing: Signing }) {
  const headingId = useId()
  return (
    <div>
      <h3 id={headingId} className="mb-2 font-semibold text-navy">
        Please read your lease
      </h3>
      {signing.unreadable ? (
        <ErrorState message={signing.unreadable} onRetry={signing.reload} className="py-6" />
      ) : (
        <ScrollBox key={signing.textSha256} labelledBy={headingId}>
          {signing.text ? <LeaseText text={signing.text} /> : <Skeleton className="h-24 w-full" />}
        </ScrollBox>
      )}
    </div>
  )
}

function TypedNames({ signing }: { signing: Signing }) {
  const { coApplicant } = signing
  return (
    <div className="grid gap-5">
      <TypedNameField
        ref={signing.refs.typedName}
        label="Your full name"
        autoComplete="name"
        value={signing.typedName}
        onChange={signing.setTypedName}
        error={signing.errorOf('typedName')}
      />
      {coApplicant && (
        <TypedNameField
          ref={signing.refs.typedName2}
          label={`Co-applicant's full name (${coApplicant})`}
          autoComplete="off"
          value={signing.typedName2}
          onChange={signing.setTypedName2}
          error={signing.errorOf('typedName2')}
        />
      )}
    </div>
  )
}

/** Each person's own; two are told apart by their names. */
function Consents({ signing }: { signing: Signing }) {
  const { applicant, coApplicant } = signing
  return (
    <div className="grid gap-4">
      <CheckboxField
        ref={signing.refs.consent}
        label={coApplicant ? `${applicant}: ${consentSentence}` : consentSentence}
        required
        checked={signing.consent}
        onChange={event => signing.setConsent(event.target.checked)}
        error={signing.errorOf('consent')}
      />
      {coApplicant && (
        <CheckboxField
          ref={signing.refs.consent2}
          label={`${coApplicant}: ${consentSentence}`}
          required
          checked={signing.consent2}
          onChange={event => signing.setConsent2(event.target.checked)}
          error={signing.errorOf('consent2')}
        />
      )}
    </div>
  )
}

function Drawings({ signing }: { signing: Signing }) {
  const { coApplicant } = signing
  return (
    <div className="grid gap-5">
      <SignatureCanvas
        ref={signing.refs.signatureImageBase64}
        label={`Your signature (${signing.applicant})`}
        error={signing.errorOf('signatureImageBase64')}
        onDrawn={() => signing.forgive('signatureImageBase64')}
      />
      {coApplicant && (
        <SignatureCanvas
          ref={signing.refs.signatureImageBase64_2}
          label={`Co-applicant's signature (${coApplicant})`}
          error={signing.errorOf('signatureImageBase64_2')}
          onDrawn={() => signing.forgive('signatureImageBase64_2')}
        />
      )}
    </div>
  )
}
