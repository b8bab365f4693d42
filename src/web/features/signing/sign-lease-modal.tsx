import { type FormEvent, useId } from 'react'
import {
  consentDisclosure,
  consentSentenceOf,
  type SignedDocument,
} from '../../../domain/leases/lease-signing.ts'
import { useSite } from '../../api/site.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LeaseText } from '../leases/lease-text.tsx'
import { NoticeBox, ScrollBox } from './scroll-box.tsx'
import { SignatureFields } from './signature-fields.tsx'
import { type SignableLease, useSigning } from './use-signing.ts'

type SignLeaseModalProps = { lease: SignableLease; onClose: () => void; onSigned: () => unknown }
type Signing = ReturnType<typeof useSigning>

/** Shows a lease and lets the tenant sign it. Typed and drawn signatures are discarded when it closes. */
export function SignLeaseModal({ lease, onClose, onSigned }: SignLeaseModalProps) {
  const signing = useSigning(lease, onSigned)
  const { busy, text, coApplicant, document } = signing
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
        <SignatureFields signing={signing} consentSentence={consentSentenceOf(document)}>
          {coApplicant && document === 'lease' && <CoApplicantEmail signing={signing} />}
        </SignatureFields>
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

/** The full notice about electronic records, which signers read before they agree. */
function ConsentDisclosure({ document }: { document: SignedDocument }) {
  const site = useSite()
  return <NoticeBox notice={site ? consentDisclosure(site, document) : []} />
}
