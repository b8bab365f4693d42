import { plural } from '../../../domain/common/plural.ts'
import { ActionButton, type MailContent, MailLayout, type MailSite, Paragraph, Quote } from './layout.tsx'

export type Danger = { id: string; title: string; detail: string }

/** To the owner: new red notices on the notice board. */
export function dangersMail(dangers: readonly Danger[], site: MailSite): MailContent {
  const [first] = dangers
  const subject =
    dangers.length === 1 && first ? first.title : `${plural(dangers.length, 'notice')} on your dashboard`
  return {
    subject,
    body: (
      <MailLayout site={site} preview={first?.title ?? subject} title="Your site needs you">
        <Paragraph>This is new on the notice board of your dashboard:</Paragraph>
        {dangers.map(({ detail, id, title }) => (
          <Quote key={id} label={title} text={detail} />
        ))}
        <Paragraph>
          You get one mail about each, and at most one mail a day. The dashboard shows what is still open.
        </Paragraph>
        <ActionButton href={`${site.origin}/admin/dashboard`}>Open the dashboard</ActionButton>
      </MailLayout>
    ),
  }
}
