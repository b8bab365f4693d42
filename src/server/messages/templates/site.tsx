import { Fragment } from 'react'
import { formatMoment } from '../../../domain/common/dates.ts'
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

/** To the owner, at the old and the new address: words that tenants rely on were changed. */
export function wordsChangedMail(props: MailKinds['owner-contact-changed'], site: MailSite): MailContent {
  const what = props.changes.map(({ label }) => label).join(', ')
  const title = 'Contact, payment details or terms were changed'
  return {
    subject: title,
    body: (
      <MailLayout site={site} preview={`${what}, by ${props.by}`} title={title}>
        <Paragraph>
          Tenants of {site.propertyName} read other words from now on. If this was not you or somebody you
          trust, log in, change your password and bring the earlier words back.
        </Paragraph>
        <Facts
          rows={[
            ['Changed', what],
            ['By', props.by],
            ['When', formatMoment(props.at, site.timeZone)],
            ['From', `${props.address}, ${props.userAgent}`],
          ]}
        />
        {props.changes.map(({ after, before, label }) => (
          <Fragment key={label}>
            <Quote label={`${label} before`} text={before} />
            <Quote label={`${label} now`} text={after} />
          </Fragment>
        ))}
        <ActionButton href={`${site.origin}/admin/site/${props.where ?? 'versions'}`}>
          Open the words
        </ActionButton>
      </MailLayout>
    ),
  }
}

/** To the owner: a published version is damaged, and visitors see an older one. */
export function contentUnreadableMail(
  props: MailKinds['owner-words-unreadable'],
  site: MailSite,
): MailContent {
  const shown = props.shown === 0 ? 'the words that the site came with' : `version ${props.shown}`
  return {
    subject: 'The published words could not be read',
    body: (
      <MailLayout site={site} preview={`Visitors see ${shown}`} title="The published words could not be read">
        <Paragraph>
          Version {props.version} of the site’s words is damaged, or another release of the program wrote it.
          Until something is published, visitors see {shown}.
        </Paragraph>
        <Facts
          rows={[
            ['Cannot be read', `Version ${props.version}`],
            ['Shown instead', props.shown === 0 ? 'As it came' : `Version ${props.shown}`],
          ]}
        />
        <ActionButton href={`${site.origin}/admin/site`}>Open the site’s words</ActionButton>
      </MailLayout>
    ),
  }
}
