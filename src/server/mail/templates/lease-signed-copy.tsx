import type { MailKinds } from '../outbox.ts'
import { type MailContent, MailLayout, type MailSite, Paragraph, Small } from './layout.tsx'

/** The signed lease, to all who signed and to the owner. */
export function leaseSignedCopyMail(props: MailKinds['lease-signed-copy'], site: MailSite): MailContent {
  return {
    subject: `The signed lease (${props.applicationNumber})`,
    body: (
      <MailLayout site={site} preview="The signed lease is attached." title="The lease is signed">
        <Paragraph>Hello {props.firstName},</Paragraph>
        <Paragraph>
          The lease for application {props.applicationNumber} is signed. Your copy is attached.
        </Paragraph>
        <Small>
          {props.givenBy
            ? `Please keep it. ${props.givenBy} gave us your address for this copy when you signed together; we use it for nothing else. If this mail is not for you, please delete it and tell us: ${site.ownerEmail}.`
            : 'Please keep it. The same file stays available in the portal.'}
        </Small>
      </MailLayout>
    ),
  }
}
