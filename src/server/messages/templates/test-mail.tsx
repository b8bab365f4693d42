import { formatMoment } from '../../../domain/common/dates.ts'
import { type MailContent, MailLayout, type MailSite, Paragraph } from './layout.tsx'

/** The mail with which the owner tests mail delivery. */
export function testMail(site: MailSite): MailContent {
  return {
    subject: `Test mail from ${site.companyName}`,
    body: (
      <MailLayout site={site} preview="Mail from your portal works." title="Mail works">
        <Paragraph>
          This mail was sent from {site.origin} on {formatMoment(site.sentAt, site.timeZone)}. If you can read
          it, reset links, receipts and status mails reach people too.
        </Paragraph>
      </MailLayout>
    ),
  }
}
