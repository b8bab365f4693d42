import type { OutgoingMail } from '../../domain/content/outgoing-mail.ts'
import { openSqliteFile } from '../sqlite-file.ts'

export type MailSummary = { id: number; receivedAt: string; to: string; subject: string; attachments: number }
export type ReceivedMail = OutgoingMail & { id: number; receivedAt: string }
export type Mailbox = ReturnType<typeof openMailbox>

const maxMails = 200

const schema = `
  create table if not exists mails (
    id integer primary key autoincrement,
    received_at text not null,
    recipient text not null,
    subject text not null,
    attachments integer not null,
    mail text not null
  )`

/**
 * The demo's mailbox: accepts every mail and keeps the last 200 in a separate file, which survives restarts.
 * `file` may be ':memory:'.
 */
export function openMailbox(file: string, now: () => Date) {
  const sqlite = openSqliteFile(file, schema)
  const insert = sqlite.prepare(
    'insert into mails (received_at, recipient, subject, attachments, mail) values (?, ?, ?, ?, ?)',
  )
  const deleteUpTo = sqlite.prepare('delete from mails where id <= ?')
  const list = sqlite.prepare<[], MailSummary>(
    'select id, received_at as receivedAt, recipient as "to", subject, attachments from mails order by id desc',
  )
  const find = sqlite.prepare<[number], { receivedAt: string; mail: string }>(
    'select received_at as receivedAt, mail from mails where id = ?',
  )
  const store = sqlite.transaction((mail: OutgoingMail) => {
    const { attachments, subject, to } = mail
    const { lastInsertRowid } = insert.run(now().toISOString(), to, subject, attachments.length, encode(mail))
    deleteUpTo.run(Number(lastInsertRowid) - maxMails)
  })
  return {
    send: async (mail: OutgoingMail): Promise<void> => store(mail),
    /** Newest first. */
    list: (): MailSummary[] => list.all(),
    find(id: number): ReceivedMail | undefined {
      const row = find.get(id)
      return row && { ...decode(row.mail), id, receivedAt: row.receivedAt }
    },
    close: () => void sqlite.close(),
  }
}

function encode(mail: OutgoingMail): string {
  const attachments = mail.attachments.map(attachment => ({
    ...attachment,
    content: Buffer.from(attachment.content).toString('base64'),
  }))
  return JSON.stringify({ ...mail, attachments })
}

type StoredMail = Omit<OutgoingMail, 'attachments'> & {
  attachments: { filename: string; contentType: string; content: string }[]
}

function decode(text: string): OutgoingMail {
  const mail: StoredMail = JSON.parse(text)
  return {
    ...mail,
    attachments: mail.attachments.map(attachment => ({
      ...attachment,
      content: Buffer.from(attachment.content, 'base64'),
    })),
  }
}
