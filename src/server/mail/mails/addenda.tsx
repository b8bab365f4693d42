import { type CalendarDate, formatShortDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { paragraphsOf } from '../../../domain/content/content-text.ts'
import { defineMail } from '../define-mail.ts'
import { BookingButton, Facts, Greeting, Paragraph, Small, withLineBreaks } from '../layout.tsx'
import { storedFile } from '../stored-attachment.ts'

/** To the tenant: an addendum waits for the signature (CHANGE-21). */
const addendumReady = defineMail({
  kind: 'addendum-ready',
  render: (
    props: {
      firstName: string
      applicationNumber: string
      applicationId: string
      validUntil: CalendarDate
      note: string
      /** What the booking is with it; an earlier release wrote none. */
      stay?: string
      owedAfterCents?: number
    },
    { site },
  ) => ({
    subject: `An addendum to your lease (${props.applicationNumber})`,
    title: 'An addendum to your lease',
    preview: `Please read it and sign it by ${formatShortDate(props.validUntil)}.`,
    body: (
      <>
        <Greeting name={props.firstName} />
        <Paragraph>
          We have prepared an addendum to your lease. Please read it, and sign it by{' '}
          {formatShortDate(props.validUntil)} if you agree. Until then nothing changes.
        </Paragraph>
        {paragraphsOf(props.note).map(text => (
          <Paragraph key={text}>{withLineBreaks(text)}</Paragraph>
        ))}
        <Facts
          rows={[
            ['Booking', props.applicationNumber],
            ['Stay with it', props.stay],
            ['Total with it', props.owedAfterCents !== undefined && formatCents(props.owedAfterCents)],
          ]}
        />
        <BookingButton site={site} id={props.applicationId}>
          Read and sign
        </BookingButton>
        <Small>Your reply to this email goes to {site.ownerEmail}.</Small>
      </>
    ),
  }),
})

/** To tenant and owner, with the signed PDF attached. */
const addendumSignedCopy = defineMail({
  kind: 'addendum-signed-copy',
  render: async (
    props: {
      firstName: string
      applicationNumber: string
      applicationId: string
      number: number
      fileId: string
      forOwner?: true
      /** Somebody without an account. */
      byLink?: true
    },
    { deps, site },
  ) => ({
    subject: `The signed addendum (${props.applicationNumber})`,
    preview: 'The signed addendum is attached.',
    body: (
      <>
        <Greeting name={props.firstName} />
        <Paragraph>
          Addendum No. {props.number} to the lease {props.applicationNumber} is signed. It is attached; please
          keep it.
        </Paragraph>
        {!props.byLink && (
          <BookingButton site={site} id={props.applicationId} forOwner={props.forOwner}>
            Open the booking
          </BookingButton>
        )}
      </>
    ),
    attachments: [
      await storedFile(deps, props.fileId, `addendum-${props.number}-${props.applicationNumber}`),
    ],
  }),
})

export const addendumMails = [addendumReady, addendumSignedCopy]
