import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { MailTransport, OutgoingMail } from '../../server/mail/transport.ts'

export type MailSummary = { id: number; receivedAt: string; to: string; subject: string; attachments: number }
export type ReceivedMail = OutgoingMail & { id: number; receivedAt: string }
export type Mailbox = MailTransport & {
  /** The newest first. */
  list: () => MailSummary[]
  find: (id: number) => ReceivedMail | undefined
  close: () => void
}

const keptMails = 200

/**
 * The demo's mailbox: takes every mail and keeps the last 200 in a file of its own, over restarts.
 * `file` may be ':memory:'.
 */
export function openMailbox(file: string, now: () => Date = () => new Date()): Mailbox {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const sqlite = new SqliteDatabase(file)
  sqlite.pragma('journal_mode = WAL')
  sqlite.exec(`
    create table if not exists mails (
      id integer primary key autoincrement,
      received_at text not null,
      recipient text not null,
      subject text not null,
      attachments integer not null,
      mail text not null
    )`)
  const insert = sqlite.prepare(
    'insert into mails (received_at, recipient, subject, attachments, mail) values (?, ?, ?, ?, ?)',
  )
  const forget = sqlite.prepare('delete from mails where id <= ?')
  const list = sqlite.prepare<[], MailSummary>(
    'select id, received_at as receivedAt, recipient as "to", subject, attachments from mails order by id desc',
  )
  const find = sqlite.prepare<[number], { receivedAt: string; mail: string }>(
    'select received_at as receivedAt, mail from mails where id = ?',
  )
  const keep = sqlite.transaction((mail: OutgoingMail) => {
    const { lastInsertRowid } = insert.run(
      now().toISOString(),
      mail.to,
      mail.subject,
      mail.attachments.length,
      encode(mail),
    )
    forget.run(Number(lastInsertRowid) - keptMails)
  })
  return {
    send: async mail => keep(mail),
    list: () => list.all(),
    find(id) {
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
