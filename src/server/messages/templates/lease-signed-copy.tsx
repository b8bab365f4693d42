import type { MailWording } from '../../../domain/content/mail-wording.ts'
import type { MailKinds } from '../outbox.ts'
import { customizableMail, siteValues } from './customizable-mail.tsx'
import { type MailContent, type MailSite, Small } from './layout.tsx'

/** The signed lease, to all signers and to the owner. */
export function leaseSignedCopyMail(
  props: MailKinds['lease-signed-copy'],
  site: MailSite,
  words: MailWording,
): MailContent {
  const { applicationId, applicationNumber, firstName, forOwner, givenBy } = props
  const page = forOwner ? `/admin/application/${applicationId}` : `/application/${applicationId}`
  return customizableMail({
    kind: 'lease-signed-copy',
    words,
    site,
    values: { ...siteValues(site), firstName, applicationNumber },
    preview: 'The signed lease is attached.',
    nextAs: Small,
    // The co-applicant has no account, so a fixed text explains where we got the address.
    ...(givenBy
      ? {
          next: (
            <Small>
              {`Please keep it. ${givenBy} gave us your address for this copy when you signed together; we use it for nothing else. If this mail is not for you, please delete it and tell us: ${site.ownerEmail}.`}
            </Small>
          ),
        }
      : { href: `${site.origin}${page}` }),
  })
}
