import { failureText } from '../../api/failures.ts'
import { type Signature, useSignature } from './use-signature.ts'

type Hashes = { textSha256: string; noticeSha256: string }
type OwnSignature = Pick<Signature, 'mode' | 'typedName' | 'signatureImageBase64' | 'consent'> & Hashes

const failureTexts = {
  failed: 'The signature could not be stored',
  noResponse: 'The site did not answer. Please try again.',
}

/** State of one person's signature; `send` stores it. */
export function useOwnSignature(
  applicant: string,
  toSign: Hashes | undefined,
  send: (signature: OwnSignature) => Promise<void>,
) {
  const signature = useSignature({
    isReady: toSign !== undefined,
    send: async ({ consent, mode, signatureImageBase64, typedName }) => {
      if (!toSign) return
      const { noticeSha256, textSha256 } = toSign
      await send({ mode, typedName, signatureImageBase64, consent, textSha256, noticeSha256 })
    },
    explain: error => failureText(error, failureTexts) ?? failureTexts.failed,
    hasChanged: async () => true,
  })
  return { ...signature, applicant }
}
