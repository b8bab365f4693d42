import { coSignerName } from '../../../domain/bookings/people.ts'
import { noticeSha256, type SignedDocument } from '../../../domain/leases/lease-signing.ts'
import { coApplicantEmailText } from '../../../domain/leases/lease-signing-form.ts'
import { api } from '../../api/api.ts'
import { failureText } from '../../api/failures.ts'
import { type Site, useSite } from '../../api/site.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { toast } from '../../ui/toast.ts'
import { type FieldError, useSignature } from './use-signature.ts'

export type SignableLease = {
  id: string
  firstName: string
  lastName: string
  secondApplicantFirstName: string
  secondApplicantLastName: string
  /** The addendum to sign instead of the lease. */
  addendumId?: string
}

/** State and actions of the Sign Lease dialog. */
export function useSigning(lease: SignableLease, onSigned: () => unknown) {
  const { addendumId } = lease
  const document: SignedDocument = addendumId ? 'addendum' : 'lease'
  const text = useTextToSign(lease)
  const sign = api.leases.sign.useMutation()
  const signAddendum = api.addenda.sign.useMutation()
  // While invitations are out everybody signs alone.
  const invited = api.signing.get.useQuery(
    { applicationId: lease.id, addendumId },
    { enabled: addendumId !== undefined },
  )
  const coApplicant = invited.data?.signing?.state === 'open' ? undefined : coSignerName(lease)
  const site = useSite()
  const texts = { failed: `Failed to sign ${document}`, noResponse: `Error signing ${document}` }
  const signature = useSignature({
    hasCoApplicant: coApplicant !== undefined,
    isReady: text.data !== undefined,
    check: ({ coApplicantEmail }) => emailErrors(coApplicantEmail),
    send: async given => {
      const { noticeSha256, textSha256 = '' } = text.data ?? {}
      if (addendumId)
        await signAddendum.mutateAsync({ addendumId, ...given, addendumTextSha256: textSha256, noticeSha256 })
      else
        await sign.mutateAsync({
          id: lease.id,
          ...given,
          leaseTextSha256: textSha256,
          noticeSha256: await hashOfNotice(site),
        })
      toast.success(addendumId ? 'Addendum signed' : 'Lease signed successfully')
      await onSigned()
    },
    explain: error => toastFailure(error, texts).message,
    hasChanged: async () => (await text.reload()) === 'changed',
  })
  return { ...signature, text, document, applicant: `${lease.firstName} ${lease.lastName}`, coApplicant }
}

type TextToSign = { text: string; textSha256: string; noticeSha256?: string }

/** The text to sign. It never refetches automatically, so that it does not change while somebody reads it. */
function useTextToSign({ addendumId, id }: SignableLease) {
  const once = {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  }
  const lease = api.leases.preview.useQuery(
    { id },
    {
      ...once,
      enabled: !addendumId,
      select: (data): TextToSign => ({ text: data.leaseText, textSha256: data.leaseTextSha256 }),
    },
  )
  const addendum = api.addenda.get.useQuery(
    { addendumId: addendumId ?? '' },
    {
      ...once,
      enabled: !!addendumId,
      select: ({ addendumText, addendumTextSha256, noticeSha256 }): TextToSign => ({
        text: addendumText,
        textSha256: addendumTextSha256,
        noticeSha256,
      }),
    },
  )
  const preview = addendumId ? addendum : lease
  return {
    data: preview.data,
    /** Why the lease cannot be shown. */
    error:
      preview.isError && !preview.data
        ? failureText(preview.error, {
            failed: 'Failed to load preview',
            noResponse: 'Error loading preview',
          })
        : undefined,
    reload: async () => {
      const { data } = await preview.refetch()
      return data && data.textSha256 !== preview.data?.textSha256 ? 'changed' : 'same'
    },
  }
}

function emailErrors(email = ''): FieldError[] {
  const [issue] = coApplicantEmailText.safeParse(email).error?.issues ?? []
  return issue ? [{ field: 'coApplicantEmail', message: issue.message }] : []
}

/**
 * Browsers can hash only in a secure context. Without the hash the certificate states that the notice is not confirmed.
 */
async function hashOfNotice(site: Site | undefined): Promise<string | undefined> {
  return site && globalThis.isSecureContext ? noticeSha256(site) : undefined
}
