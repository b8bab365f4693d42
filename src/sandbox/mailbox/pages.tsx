import type { CSSProperties, ReactNode } from 'react'
import { formatMoment } from '../../domain/common/dates.ts'
import { baseStyle, DemoBanner, Facts, pageHeaders, renderPage } from '../page.tsx'
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
      <svg aria-hidden viewBox="0 0 24 24">
        <path d="m12 19-7-7 7-7M19 12H5" />
      </svg>
      All mails
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
                  {noBreakNumbers(subject)}
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
            Ask for a new password, send an application or pay something: the emails appear here within
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
        <h1>{noBreakNumbers(mail.subject)}</h1>
      </div>
      <article className="card">
        <Facts facts={facts} />
        <iframe
          title="How the email looks"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={mail.html}
          style={heightsOf(mail.text)}
        />
        <details>
          <summary>Plain text version</summary>
          <pre>{mail.text}</pre>
        </details>
      </article>
    </>
  )
}

/** Estimated from the text, because neither the page nor the frame runs scripts. */
function heightsOf(text: string): CSSProperties {
  const height = (frame: number, fact: number, gap: number, line: number, chars: number) =>
    text.split('\n').reduce((sum, words) => {
      if (words === '') return sum + gap
      const [, label] = /^(\S.*?) {3,}\S/.exec(words) ?? []
      return (
        sum +
        (label
          ? fact + 22 * Math.floor(label.length / (chars * 0.7))
          : line * Math.ceil(words.length / chars))
      )
    }, frame)
  return {
    '--wide': `${height(240, 41, 24, 13, 80)}px`,
    '--narrow': `${height(235, 47, 39, 9, 42)}px`,
  } as object
}

/** Keeps a number such as `(APP-2026-0007)` on one line. */
const noBreakNumbers = (subject: string): ReactNode[] =>
  subject.split(/(\(?[A-Z]+-\d{4}-\d+\)?)/).map((part, i) =>
    i % 2 === 1 ? (
      <span key={part} className="number">
        {part}
      </span>
    ) : (
      part
    ),
  )

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

/** The style sheet of the mailbox pages, in the colors of the site. */
const pageStyle = `${baseStyle}
:root{--ink:#1d2b3c;--muted:#556070;--line:#e1d9ca;--canvas:#faf8f3;--sand:#f3eee4;--foam:#e3f0ea}
.demo{background:#e2d2b5;color:#3f2d10}
main{max-width:960px;margin:0 auto;padding:24px 16px 48px}
.top{display:flex;flex-wrap:wrap;align-items:end;justify-content:space-between;gap:8px 24px;margin-bottom:18px}
h1{font:500 28px/1.25 var(--serif);color:var(--navy);overflow-wrap:anywhere;min-width:0}
.top p{color:var(--muted);font-size:15px}
.top nav{display:flex;gap:20px}
.top nav a,.back{display:inline-flex;align-items:center;min-height:44px;font-weight:600;font-size:15px}
.card{box-shadow:0 1px 2px rgb(30 53 82/.05),0 4px 16px -6px rgb(30 53 82/.1);overflow:hidden}
.mails li+li{border-top:1px solid var(--line)}
.mails a{display:grid;gap:2px 20px;padding:14px 18px;color:inherit;text-decoration:none}
.mails a:hover{background:var(--sand)}
.mails a:focus-visible{outline-offset:-3px}
.mails .subject{font-weight:600;color:var(--navy);overflow-wrap:anywhere;min-width:0}
.mails .to,.mails time{color:var(--muted);font-size:14px;overflow-wrap:anywhere}
.clip{font-weight:400;font-size:13px;color:var(--teal);background:var(--foam);border-radius:99px;padding:1px 9px;margin-left:8px;white-space:nowrap}
.number{white-space:nowrap}
.back svg{width:18px;margin-right:6px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.empty{padding:56px 24px;text-align:center;display:grid;gap:6px;justify-items:center}
.empty p:first-child{font:500 20px/1.3 var(--serif);color:var(--navy)}
.empty p+p{color:var(--muted);max-width:34em}
.facts{display:grid;gap:6px 20px;padding:16px 18px;border-bottom:1px solid var(--line)}
.facts div{display:flex;gap:12px}
.facts dt{color:var(--muted);font-size:14px;line-height:24px;flex:0 0 76px}
.facts dd{overflow-wrap:anywhere;min-width:0}
.files{display:flex;flex-wrap:wrap;gap:8px}
.files a{display:inline-flex;align-items:center;min-height:36px;padding:4px 14px;border:1px solid #a3c9bc;border-radius:99px;background:var(--foam);font-size:14px;font-weight:600;text-decoration:none}
iframe{display:block;width:100%;height:var(--narrow);border:0;background:#f3eee4}
details{border-top:1px solid var(--line);padding:8px 18px}
summary{min-height:40px;line-height:40px}
pre{margin:0 0 12px;white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-width:359px){iframe{height:calc(var(--narrow)*1.08 + 40px)}}
@media (min-width:720px){
  main{padding:40px 24px 64px}
  .mails a{grid-template-columns:minmax(0,1fr) minmax(0,210px) 200px;align-items:center}
  .mails time{text-align:right;white-space:nowrap}
  h1{font-size:34px}
  iframe{height:var(--wide)}
}
`
