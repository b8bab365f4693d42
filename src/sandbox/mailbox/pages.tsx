import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { formatMoment } from '../../domain/dates.ts'
import { pageStyle } from './page-style.ts'
import type { Mailbox, MailSummary, ReceivedMail } from './store.ts'

export const mailboxPath = '/sandbox/mailbox'
export type MailboxAnswer = { status: number; headers: Record<string, string>; body: string | Buffer }
type Words = { companyName: string; timeZone: string }

/** The demo's mailbox as pages: the list, a mail, an attachment. `path` is the request's, without its query. */
export function answerMailbox(mailbox: Mailbox, path: string, words: Words): MailboxAnswer {
  const [, id, position] =
    /^\/sandbox\/mailbox(?:\/(\d{1,15})(?:\/attachments\/(\d{1,3}))?)?\/?$/.exec(path) ?? []
  if (id === undefined)
    return /^\/sandbox\/mailbox\/?$/.test(path)
      ? page('Demo mailbox', <ListPage mails={mailbox.list()} words={words} />)
      : missing(words)
  const mail = mailbox.find(Number(id))
  if (!mail) return missing(words)
  if (position === undefined) return page(mail.subject, <MailPage mail={mail} words={words} />)
  const attachment = mail.attachments[Number(position)]
  if (!attachment) return missing(words)
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

const headers = {
  'cache-control': 'no-store',
  // A mail's look is in style attributes, and its frame is held to the policy of the page around it.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

function page(title: string, body: ReactElement, status = 200): MailboxAnswer {
  const head = renderToStaticMarkup(<title>{title}</title>)
  return {
    status,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    body:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
      `<link rel="icon" href="data:,">${head}<style>${pageStyle}</style></head>` +
      `<body>${renderToStaticMarkup(body)}</body></html>`,
  }
}

const missing = (words: Words) =>
  page(
    'Not found',
    <Frame words={words}>
      <section className="card empty">
        <p>This mail is not here</p>
        <p>The mailbox keeps the last 200 mails.</p>
        <BackLink />
      </section>
    </Frame>,
    404,
  )

function Frame({ words, children }: { words: Words; children: ReactElement | ReactElement[] }) {
  return (
    <>
      <header className="demo">
        <strong>Demo mailbox.</strong> Every mail that {words.companyName} would send ends up here; none
        leaves this machine.
      </header>
      <main>{children}</main>
    </>
  )
}

function BackLink() {
  return (
    <a className="back" href={mailboxPath}>
      ← All mails
    </a>
  )
}

function ListPage({ mails, words }: { mails: MailSummary[]; words: Words }) {
  return (
    <Frame words={words}>
      <div className="top">
        <div>
          <h1>Mailbox</h1>
          <p>{mails.length === 1 ? '1 mail' : `${mails.length} mails`}, the newest first</p>
        </div>
        <nav aria-label="Mailbox">
          <a href={mailboxPath}>Refresh</a>
          <a href="/">Back to the site</a>
        </nav>
      </div>
      {mails.length === 0 ? (
        <section className="card empty">
          <p>No mail yet</p>
          <p>
            Ask for a new password, send an application or pay something: the mails appear here within
            seconds.
          </p>
        </section>
      ) : (
        <ol className="card mails">
          {mails.map(mail => (
            <li key={mail.id}>
              <a href={`${mailboxPath}/${mail.id}`}>
                <span className="subject">
                  {mail.subject}
                  {mail.attachments > 0 && <span className="clip">{attachmentCount(mail.attachments)}</span>}
                </span>
                <span className="to">{mail.to}</span>
                <time dateTime={mail.receivedAt}>{formatMoment(mail.receivedAt, words.timeZone)}</time>
              </a>
            </li>
          ))}
        </ol>
      )}
    </Frame>
  )
}

function MailPage({ mail, words }: { mail: ReceivedMail; words: Words }) {
  return (
    <Frame words={words}>
      <BackLink />
      <div className="top">
        <h1>{mail.subject}</h1>
      </div>
      <article className="card">
        <dl className="facts">
          <Fact label="To">{mail.to}</Fact>
          {mail.replyTo && <Fact label="Reply to">{mail.replyTo}</Fact>}
          <Fact label="Sent">{formatMoment(mail.receivedAt, words.timeZone)}</Fact>
          {mail.attachments.length > 0 && (
            <Fact label="Attached">
              <ul className="files">
                {mail.attachments.map((attachment, position) => (
                  <li key={attachment.filename}>
                    <a
                      href={`${mailboxPath}/${mail.id}/attachments/${position}`}
                      download={attachment.filename}
                    >
                      {attachment.filename}
                    </a>
                  </li>
                ))}
              </ul>
            </Fact>
          )}
        </dl>
        <iframe
          title="The mail as it looks"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={mail.html}
        />
        <details>
          <summary>Plain text version</summary>
          <pre>{mail.text}</pre>
        </details>
      </article>
    </Frame>
  )
}

function Fact({ label, children }: { label: string; children: ReactElement | string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const attachmentCount = (count: number) => (count === 1 ? '1 attachment' : `${count} attachments`)
