import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { countSentence, signingCount } from '../../../domain/leases/signing.ts'
import { rentLabel } from '../../../domain/money/lease-terms.ts'
import { api, type Outputs } from '../../api/api.ts'
import { useOwnSignature } from '../../features/signing/own-signature.ts'
import { DocumentToSign } from '../../features/signing/signature-fields.tsx'
import { SignerList } from '../../features/signing/signer-list.tsx'
import { DownloadButton } from '../../forms/download-button.tsx'
import { toastFailure } from '../../forms/failure-toast.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextAreaField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { OpenedLink } from './opened-link.tsx'

type OpenedSigner = Outputs['signing']['open']

/** A document to sign by the link of a mail, without an account. */
export function SignPage() {
  const { client } = api.useUtils()
  return (
    <OpenedLink
      title="Please sign"
      titleOf={({ signer }: OpenedSigner) => (signer.state === 'signed' ? 'Thank you' : undefined)}
      open={token => client.signing.open.mutate({ token })}
      hint="Please ask the owner for a new one."
    >
      {(opened, token) => <SignDocument key={token} token={token} opened={opened} />}
    </OpenedLink>
  )
}

function SignDocument({ opened, token }: { opened: OpenedSigner; token: string }) {
  const queries = useQueryClient()
  const reload = () => queries.refetchQueries({ queryKey: ['link'] })
  const { document, signer, signers, state } = opened
  const isSigned = signer.state === 'signed'
  const download = (
    <DownloadButton
      path="/api/signer/pdf"
      input={{ token }}
      saveAs={`${document.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}${state === 'complete' ? '-signed' : ''}.pdf`}
      failedText="The document could not be downloaded"
    >
      Download
    </DownloadButton>
  )
  return (
    <div className="grid gap-6">
      {isSigned && <SignedNotice opened={opened} />}
      <Card aria-label={document.title}>
        <CardHeader title={document.title} action={download} />
        <CardBody className="grid gap-5">
          <Terms {...document} />
          <div className="border-t border-line pt-5">
            <h3 className="mb-3 font-semibold text-navy">Who signs</h3>
            <SignerList signers={signers} ownName={isSigned ? undefined : signer.name} />
          </div>
        </CardBody>
      </Card>
      {!isSigned && <SignForm opened={opened} token={token} reload={reload} />}
    </div>
  )
}

/** What is signed, before the text. */
const Terms = ({ depositCents, rentCents, stay }: OpenedSigner['document']) => (
  <DefinitionList
    columns={3}
    items={[
      {
        label: 'Stay',
        value: (
          <>
            {formatShortStay(stay)}{' '}
            <span className="block font-normal text-muted">
              {plural(nightsBetween(stay.start, stay.end), 'night')}
            </span>
          </>
        ),
      },
      { label: rentLabel(stay.start, stay.end), value: formatCents(rentCents) },
      { label: 'Security deposit', value: formatCents(depositCents) },
    ]}
  />
)

function SignedNotice({ opened: { signers, state } }: { opened: OpenedSigner }) {
  const count = signingCount(
    signers.map(({ state }) => ({ removedAt: null, signedAt: state === 'signed' ? state : null })),
  )
  return (
    <Notice tone="success" title="You have signed">
      {state === 'complete' ? 'Everybody has signed. Your copy is on its way.' : countSentence(count)}
    </Notice>
  )
}

type SignFormProps = { opened: OpenedSigner; token: string; reload: () => unknown }

function SignForm({ opened, reload, token }: SignFormProps) {
  const { client } = api.useUtils()
  const [declining, setDeclining] = useState(false)
  const { consentSentence, document, notice, noticeSha256, signer } = opened
  const toSign = { ...document, notice, noticeSha256, consentSentence }
  const signature = useOwnSignature(signer.name, toSign, async given => {
    try {
      await client.signing.sign.mutate({ token, ...given })
      toast.success('Signed successfully')
    } finally {
      // Also where the text has changed, or it was signed elsewhere.
      await reload()
    }
  })
  return (
    <Card aria-label="Read and sign">
      <CardHeader title="Read and sign" />
      <CardBody>
        <form noValidate onSubmit={signature.submit} className="grid gap-6">
          {signer.state === 'declined' && (
            <Notice>You told the owner that you do not want to sign. You can still sign here.</Notice>
          )}
          <DocumentToSign title={`Please read the ${document.kind}`} toSign={toSign} signing={signature} />
          <div className="flex flex-wrap gap-3 max-sm:*:grow">
            <Button type="submit" busy={signature.busy} busyLabel="Signing...">
              Sign
            </Button>
            {signer.state !== 'declined' && (
              <Button
                type="button"
                variant="ghost"
                disabled={signature.busy}
                onClick={() => setDeclining(true)}
              >
                I do not want to sign
              </Button>
            )}
          </div>
        </form>
        {declining && <DeclineDialog token={token} onDeclined={reload} onClose={() => setDeclining(false)} />}
      </CardBody>
    </Card>
  )
}

type DeclineDialogProps = { token: string; onDeclined: () => unknown; onClose: () => void }

function DeclineDialog({ onClose, onDeclined, token }: DeclineDialogProps) {
  const { client } = api.useUtils()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setError('Please give a reason')
    setBusy(true)
    try {
      const { message } = await client.signing.decline.mutate({ token, reason })
      toast.success(message)
      await onDeclined()
      onClose()
    } catch (cause) {
      setError(toastFailure(cause, 'Failed to tell the owner').message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title="You do not want to sign?"
      description="We tell the owner why. Your link still works, so you can sign later."
      submit={submit}
      submitLabel="Tell the owner"
      busyLabel="Sending..."
      busy={busy}
      onClose={onClose}
    >
      <TextAreaField
        label="Why not?"
        required
        maxLength={2000}
        rows={4}
        value={reason}
        onChange={event => setReason(event.target.value)}
        error={error}
      />
    </FormDialog>
  )
}
