import type { ReactNode } from 'react'
import { formatMoment } from '../../domain/common/dates.ts'
import { DemoBanner, Facts, pageHeaders, renderPage } from '../page.tsx'
import { pageStyle } from './page-style.ts'
import type { Mailbox, MailSummary, ReceivedMail } from './store.ts'

export const mailboxPath = '/sandbox/mailbox'
type MailboxResponse = { status: number; headers: Record<string, string>; body: string | Buffer }
type Site = { companyName: string; timeZone: string }

// Mails use style attributes, and the frame that shows a mail inherits this page's policy.
const headers = pageHeaders({ style: "'unsafe-inline'", forms: "'none'" })

/** Responds with a page of the demo's mailbox: the list, a mail or an attachment. `path` excludes the query. */
export function handleMailbox(mailbox: Mailbox, path: string, site: Site): MailboxResponse {
  const page = (title: string, content: ReactNode, status = 200) => ({
    status,
    headers,
    body: renderPage(title, <Frame companyName={site.companyName}>{content}</Frame>, pageStyle),
  })
  const [isKnown, id, position] =
    /^\/sandbox\/mailbox(?:\/(\d{1,15})(?:\/attachments\/(\d{1,3}))?)?\/?$/.exec(path) ?? []
  if (isKnown && !id)
    return page('Demo mailbox', <ListPage mails={mailbox.list()} timeZone={site.timeZone} />)
  const mail = id ? mailbox.find(Number(id)) : undefined
  if (mail && position === undefined)
    return page(mail.subject, <MailPage mail={mail} timeZone={site.timeZone} />)
  const attachment = mail?.attachments[Number(position)]
  if (!attachment) return page('Not found', <NotFound />, 404)
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': attachment.contentType,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename)}`,
    },
    body: Buffer.from(attachment.content),
  }
}

function Frame({ children, companyName }: { children: ReactNode; companyName: string }) {
  return (
    <>
      <DemoBanner title="Demo mailbox.">
        Every mail that {companyName} would send ends up here; none leaves this machine.
      </DemoBanner>
      <main>{children}</main>
    </>
  )
}

function NotFound() {
  return (
    <section className="card empty">
      <p>This mail is not here</p>
      <p>The mailbox keeps the last 200 mails.</p>
      <BackLink />
    </section>
  )
}

function BackLink() {
  return (
    <a className="back" href={mailboxPath}>
      ← All mails
    </a>
  )
}

function ListPage({ mails, timeZone }: { mails: MailSummary[]; timeZone: string }) {
  return (
    <>
      <div className="top">
        <div>
          <h1>Mailbox</h1>
          <p>{counted(mails.length, 'mail')}, the newest first</p>
        </div>
        <nav aria-label="Mailbox">
          <a href={mailboxPath}>Refresh</a>
          <a href="/">Back to the site</a>
        </nav>
      </div>
      {mails.length > 0 ? (
        <ol className="card mails">
          {mails.map(({ attachments, id, receivedAt, subject, to }) => (
            <li key={id}>
              <a href={`${mailboxPath}/${id}`}>
                <span className="subject">
                  {subject}
                  {attachments > 0 && <span className="clip">{counted(attachments, 'attachment')}</span>}
                </span>
                <span className="to">{to}</span>
                <time dateTime={receivedAt}>{formatMoment(receivedAt, timeZone)}</time>
              </a>
            </li>
          ))}
        </ol>
      ) : (
        <section className="card empty">
          <p>No mail yet</p>
          <p>
            Ask for a new password, send an application or pay something: the mails appear here within
            seconds.
          </p>
        </section>
      )}
    </>
  )
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function MailPage({ mail, timeZone }: { mail: ReceivedMail; timeZone: string }) {
  const facts = {
    To: mail.to,
    'Reply to': mail.replyTo,
    Sent: formatMoment(mail.receivedAt, timeZone),
    Attached: mail.attachments.length > 0 && <Attachments mail={mail} />,
  }
  return (
    <>
      <BackLink />
      <div className="top">
        <h1>{mail.subject}</h1>
      </div>
      <article className="card">
        <Facts facts={facts} />
        <iframe
          title="How the e-mail looks"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={mail.html}
        />
        <details>
          <summary>Plain text version</summary>
          <pre>{mail.text}</pre>
        </details>
      </article>
    </>
  )
}

function Attachments({ mail: { attachments, id } }: { mail: ReceivedMail }) {
  return (
    <ul className="files">
      {attachments.map(({ filename }, position) => (
        <li key={filename}>
          <a href={`${mailboxPath}/${id}/attachments/${position}`} download={filename}>
            {filename}
          </a>
        </li>
      ))}
    </ul>
  )
}
