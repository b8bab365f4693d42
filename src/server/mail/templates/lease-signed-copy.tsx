import type { MailKinds } from '../outbox.ts'
import { type MailContent, MailLayout, type MailSite, Paragraph, Small } from './layout.tsx'

/** The signed lease, to both sides alike. */
export function leaseSignedCopyMail(props: MailKinds['lease-signed-copy'], site: MailSite): MailContent {
  return {
    subject: `The signed lease (${props.applicationNumber})`,
    body: (
      <MailLayout site={site} preview="The signed lease is attached." title="The lease is signed">
        <Paragraph>Hello {props.firstName},</Paragraph>
        <Paragraph>
          The lease for application {props.applicationNumber} is signed. Your copy is attached.
        </Paragraph>
        <Small>Please keep it. The same file stays available in the portal.</Small>
      </MailLayout>
    ),
  }
}
