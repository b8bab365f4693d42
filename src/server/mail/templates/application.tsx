import { formatLongDate } from '../../../domain/dates.ts'
import type { MailKinds } from '../outbox.ts'
import {
  ActionButton,
  Facts,
  type MailContent,
  MailLayout,
  type MailSite,
  Paragraph,
  Quote,
} from './layout.tsx'

type Props = MailKinds['application-received']
type Words = {
  subject: string
  title: string
  text: string
  next?: string
  button: string
  path: (applicationId: string) => string
}

const details = (id: string) => `/application/${id}`

/** The mails to a tenant about an application, one wording for each turn it takes. */
const wordings = {
  'application-received': {
    subject: 'We have your application',
    title: 'We have your application',
    text: 'Thank you for applying. Your application is with the owner now.',
    next: 'A review typically takes 1-2 business days. We will write to you as soon as it is done.',
    button: 'View your application',
    path: details,
  },
  'application-approved': {
    subject: 'Your application is approved',
    title: 'Good news: you are approved',
    text: 'The owner has approved your application.',
    next: 'Next comes your lease. We will write to you when it is ready to sign; the remaining steps are on your dashboard.',
    button: 'See the next steps',
    path: () => '/dashboard',
  },
  'application-declined': {
    subject: 'About your application',
    title: 'We cannot offer you these dates',
    text: 'Thank you for your interest. We are sorry that we could not accept your application this time.',
    next: 'You are welcome to apply again for other dates, or to write to us with any question.',
    button: 'View your application',
    path: details,
  },
  'lease-ready': {
    subject: 'Your lease is ready to sign',
    title: 'Your lease is ready',
    text: 'The lease for your stay has been prepared. Please read it and sign it, right in the portal or on paper.',
    button: 'Read and sign the lease',
    path: () => '/lease',
  },
  'booking-complete': {
    subject: 'Your booking is complete',
    title: 'Your stay is booked',
    text: 'Everything is in place and your booking is confirmed.',
    next: 'We look forward to welcoming you.',
    button: 'View your booking',
    path: details,
  },
} satisfies Record<string, Words>
export type ApplicationMailKind = keyof typeof wordings

export function applicationMail(kind: ApplicationMailKind, props: Props, site: MailSite): MailContent {
  const words: Words = wordings[kind]
  return {
    subject: `${words.subject} (${props.applicationNumber})`,
    body: (
      <MailLayout site={site} preview={words.text} title={words.title}>
        <Paragraph>Hello {props.firstName},</Paragraph>
        <Paragraph>{words.text}</Paragraph>
        <Facts
          rows={[
            ['Application', props.applicationNumber],
            ['Arrival', formatLongDate(props.startDate)],
            ['Departure', formatLongDate(props.endDate)],
          ]}
        />
        {props.notes && <Quote label="A note from the owner" text={props.notes} />}
        {words.next && <Paragraph>{words.next}</Paragraph>}
        <ActionButton href={`${site.origin}${words.path(props.applicationId)}`}>{words.button}</ActionButton>
      </MailLayout>
    ),
  }
}
