import { useId } from 'react'
import { failureText } from '../../api/failures.ts'
import { LeaseText } from '../leases/lease-text.tsx'
import { NoticeBox, ScrollBox } from './scroll-box.tsx'
import { SignatureFields } from './signature-fields.tsx'
import { type Signature, useSignature } from './use-signature.ts'

/** What one person signs, as it is shown. */
export type ToSign = {
  text: string
  textSha256: string
  notice: readonly { title: string; text: string }[]
  noticeSha256: string
  consentSentence: string
}
type OwnSignature = Pick<Signature, 'mode' | 'typedName' | 'signatureImageBase64' | 'consent'> &
  Pick<ToSign, 'textSha256' | 'noticeSha256'>

const failureTexts = {
  failed: 'The signature could not be stored',
  noResponse: 'The site did not answer. Please try again.',
}

/** State of one person's signature; `send` stores it. */
export function useOwnSignature(
  toSign: ToSign | undefined,
  send: (signature: OwnSignature) => Promise<void>,
) {
  return useSignature({
    isReady: toSign !== undefined,
    send: async ({ consent, mode, signatureImageBase64, typedName }) => {
      if (!toSign) return
      const { noticeSha256, textSha256 } = toSign
      await send({ mode, typedName, signatureImageBase64, consent, textSha256, noticeSha256 })
    },
    explain: error => failureText(error, failureTexts) ?? failureTexts.failed,
    hasChanged: async () => true,
  })
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
      <SignatureFields
        signing={{ ...signature, applicant: signerName }}
        consentSentence={toSign.consentSentence}
      />
    </>
  )
}
