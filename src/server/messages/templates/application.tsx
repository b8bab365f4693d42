import { formatLongDate } from '../../../domain/common/dates.ts'
import type { MailWording } from '../../../domain/content/mail-wording.ts'
import type { applicationMailKinds } from '../../../domain/content/wording.ts'
import type { MailKinds } from '../outbox.ts'
import { customizableMail, siteValues } from './customizable-mail.tsx'
import { Facts, type MailContent, type MailSite, Quote } from './layout.tsx'

export type ApplicationMailKind = (typeof applicationMailKinds)[number]

const details = (id: string) => `/application/${id}`

/** The button's target in a mail about an application. */
const paths: Record<ApplicationMailKind, (applicationId: string) => string> = {
  'application-received': details,
  'application-approved': () => '/dashboard',
  'application-declined': details,
  'lease-ready': () => '/lease',
  'booking-complete': details,
}

/** The mails to a tenant about an application, one wording for each status change. */
export function applicationMail(
  kind: ApplicationMailKind,
  props: MailKinds[ApplicationMailKind],
  site: MailSite,
  words: MailWording,
): MailContent {
  const { applicationId, applicationNumber, firstName, notes } = props
  const [arrival, departure] = [formatLongDate(props.startDate), formatLongDate(props.endDate)]
  return customizableMail({
    kind,
    words,
    site,
    values: { ...siteValues(site), firstName, applicationNumber, arrival, departure },
    href: `${site.origin}${paths[kind](applicationId)}`,
    facts: (
      <>
        <Facts
          rows={[
            ['Application', applicationNumber],
            ['Arrival', arrival],
            ['Departure', departure],
          ]}
        />
        {notes && <Quote label="A note from the owner" text={notes} />}
      </>
    ),
  })
}
