import { z } from 'zod'
import { mistypedPhrase, readGroup } from '../common/recovery-phrase.ts'
import { section, sectionVersion } from './settings-section.ts'

export const targetKinds = ['s3', 'sftp', 'folder'] as const
export type TargetKind = (typeof targetKinds)[number]

const line = z
  .string()
  .trim()
  .max(500, 'Please use at most 500 characters')
  .refine(text => !/\p{Cc}/u.test(text), 'Please use one line')

/** Without slashes at its end, or the same place would have two names. */
const place = line.transform(text => text.replace(/(?<=.)\/+$/, ''))

/** Where backups go. `address` is the bucket's URL, `host:port/folder` of an SFTP server, or a folder's path. */
const target = z.object({
  kind: z.enum(targetKinds, 'Please choose where backups go'),
  address: place,
  user: line,
})
export type BackupTarget = z.output<typeof target>

export const addressMessages = {
  s3: 'Please enter the address of a bucket, such as https://s3.eu-central-1.amazonaws.com/my-backups',
  sftp: 'Please enter server and folder, such as backup.example.com/condo',
  folder: 'Please enter the path of a folder on another disk, such as /mnt/backups/condo',
} as const

const sftpAddress = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?\/(.+)$/i

/** Server, port and folder of an SFTP address; undefined for anything else. */
export function readSftpAddress(address: string): { host: string; port: number; folder: string } | undefined {
  const [, host = '', port = '22', folder = ''] = sftpAddress.exec(address) ?? []
  return host === '' || Number(port) > 65_535 ? undefined : { host, port: Number(port), folder }
}

const isAddress: Record<TargetKind, (address: string) => boolean> = {
  s3: address => {
    const url = URL.parse(address)
    const isPlain = url !== null && url.username + url.password + url.search + url.hash === ''
    return isPlain && /^https?:$/.test(url.protocol) && url.pathname.replaceAll('/', '') !== ''
  },
  sftp: address => readSftpAddress(address) !== undefined,
  folder: address => /^\/[^/]/.test(address) && !address.split('/').includes('..'),
}

const withRules = target.superRefine(({ address, kind, user }, context) => {
  const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (!isAddress[kind](address)) add('address', addressMessages[kind])
  if (kind === 's3' && user === '') add('user', 'Please enter the access key')
  // It becomes an argument of ssh.
  if (kind === 'sftp' && !/^[a-z0-9_][a-z0-9_.-]*$/i.test(user)) add('user', 'Please enter the user’s name')
})

export const backupSection = section(
  'backup',
  z.object({
    kind: z.enum(['none', ...targetKinds]).default('none'),
    address: z.string().default(''),
    user: z.string().default(''),
  }),
)

/** A missing secret keeps the saved one. */
export const backupChange = z.object({
  version: sectionVersion,
  body: withRules,
  secrets: z
    .object({ secretKey: z.string().trim().max(500, 'Please use at most 500 characters').optional() })
    .default({}),
})

/** Two groups of the printed phrase, typed back. */
export const sheetConfirmation = z.object({
  groups: z
    .array(z.string())
    .length(2)
    .transform(groups => groups.map(readGroup)),
})

export const backupMessages = {
  noRestic: 'This machine has no restic. Whoever runs the server installs it with: apt install restic',
  noTarget: 'Please save where backups go first.',
  silent: 'There was no answer within 60 seconds.',
  late: 'It did not end within three hours.',
  running: 'A backup elsewhere is running.',
  locks: 'The access key must be allowed to delete below locks/.',
  own: 'Please enter a folder outside of the site’s own.',
  local: 'Please enter a server elsewhere: this address is on this machine.',
  others: 'There are backups here that this site cannot open. Restore them, or choose another folder.',
  secretNeeded: 'Please enter the secret key',
  sheetOver: 'This recovery sheet is no longer waiting. Please make a new one.',
  wrongGroups: 'These are not the groups of the sheet. Please check them.',
  mistyped: mistypedPhrase,
} as const
