import { consentDisclosure, consentSentenceOf } from '../../../domain/leases/lease-signing.ts'
import { useSite } from '../../api/site.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DocumentToSign } from './signature-fields.tsx'
import { type SignableLease, useSigning } from './use-signing.ts'

type SignLeaseModalProps = { lease: SignableLease; onClose: () => void; onSigned: () => unknown }
type Signing = ReturnType<typeof useSigning>

/** Shows a lease and lets the tenant sign it. Typed and drawn signatures are discarded when it closes. */
export function SignLeaseModal({ lease, onClose, onSigned }: SignLeaseModalProps) {
  const site = useSite()
  const signing = useSigning(lease, onSigned)
  const { busy, text, coApplicant, document } = signing
  const title = document === 'lease' ? 'Sign Lease' : 'Sign addendum'
  const notice = site ? consentDisclosure(site, document) : []
  return (
    <FormDialog
      title={title}
      submit={signing.submit}
      submitLabel={title}
      busyLabel="Signing..."
      busy={busy}
      disabled={!text.data?.text}
      onClose={onClose}
    >
      <DocumentToSign
        title={document === 'lease' ? 'Please read your lease' : 'Please read the addendum'}
        toSign={{ ...text.data, notice, consentSentence: consentSentenceOf(document) }}
        error={text.error}
        onRetry={text.reload}
        height="min-h-56 sm:h-[40dvh]"
        signing={signing}
      >
        {coApplicant && document === 'lease' && <CoApplicantEmail signing={signing} />}
      </DocumentToSign>
    </FormDialog>
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
