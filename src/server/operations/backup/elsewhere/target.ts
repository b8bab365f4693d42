import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { relative, resolve } from 'node:path'
import type { Db } from '../../../../../db/open.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import {
  type BackupTarget,
  backupMessages,
  backupSection,
  readSftpAddress,
} from '../../../../domain/content/backup-target.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { readSealed } from '../../../kernel/sealed-settings.ts'
import { isOnThisMachine } from '../../../lib/local-address.ts'
import { readSection } from '../../../site/settings.ts'
import { alone, resticFolder } from './alone.ts'
import type { Repository } from './restic.ts'

type TargetDeps = Pick<Deps, 'config' | 'db' | 'key'>

/** Where the owner has backups copied; undefined if nowhere. */
export function readTarget(db: Db): BackupTarget | undefined {
  const { kind, ...rest } = readSection(db, backupSection).body
  return kind === 'none' ? undefined : { kind, ...rest }
}

/** The saved repository with its secrets; undefined without a target, or if the site's key does not open them. */
export function savedRepository(deps: TargetDeps): Repository | undefined {
  const target = readTarget(deps.db)
  const password = readSealed(deps, deps.db, 'backup.key')
  if (!target || password === undefined) return undefined
  return {
    target,
    password,
    secretKey: readSealed(deps, deps.db, 'backup.secret'),
    sshKey: readSealed(deps, deps.db, 'backup.sshKey'),
    work: resticFolder(deps.config.databaseFile),
  }
}

/**
 * Works with the saved repository, which nothing else does meanwhile (`alone`), within a time. @throws AppError conflict
 * without a target, and while another works
 */
export function withRepository<T>(
  deps: TargetDeps,
  work: (repository: Repository) => Promise<T>,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  return alone(deps.config.databaseFile, () => {
    const repository = savedRepository(deps)
    if (!repository) throw new AppError('conflict', backupMessages.noTarget)
    return work({ ...repository, until: Date.now() + limitMs })
  })
}

/** The host of a target; undefined for a folder. */
function hostOf({ address, kind }: BackupTarget): { host: string; authority: string } | undefined {
  if (kind === 'folder') return undefined
  if (kind === 's3') {
    const { host, hostname } = new URL(address)
    return { host: hostname.replaceAll(/^\[|\]$/g, ''), authority: host }
  }
  const server = readSftpAddress(address)
  return server && { host: server.host, authority: `${server.host}:${server.port}` }
}

/**
 * Whether a target is this machine itself, or only reached on the local link (INST-20). A private network is allowed:
 * that is where a second machine of the owner stands.
 */
export async function isOwnMachine({ config }: Pick<Deps, 'config'>, target: BackupTarget): Promise<boolean> {
  const host = hostOf(target)
  if (!host || config.fetchAllow.some(origin => new URL(origin).host === host.authority)) return false
  // If the name does not resolve, restic reports the error.
  const addresses = await lookup(host.host, { all: true }).catch(() => [])
  const found = await Promise.all(
    addresses.map(({ address }) => isOnThisMachine(address) || canListenAt(address)),
  )
  return found.includes(true)
}

/** Whether an address is this machine's. The unit of a server may not list its addresses. */
function canListenAt(address: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(0, address, () => probe.close(() => resolve(true)))
  })
}

/** Whether a target is a folder in which the site itself moves and removes files. */
export function isInOwnFolder({ config }: Pick<Deps, 'config'>, { address, kind }: BackupTarget): boolean {
  const own = [config.uploadsDir, resticFolder(config.databaseFile)]
  return kind === 'folder' && own.some(folder => !relative(resolve(folder), address).startsWith('..'))
}

/** Generates a repository password: 256 random bits in base64url. */
export const newRepositoryPassword = (): string => randomBytes(32).toString('base64url')

/** A new SSH key pair; the public half is what the owner enters at the server. */
export function newSshKey(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return { privateKey: openSshKey(seed, point), publicKey: publicSshKey(point) }
}

const text = (value: string | Buffer) => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.byteLength)
  return Buffer.concat([length, bytes])
}
const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const algorithm = 'ssh-ed25519'
const keyBlob = (point: Buffer) => Buffer.concat([text(algorithm), text(point)])
const publicSshKey = (point: Buffer) => `${algorithm} ${keyBlob(point).toString('base64')} condo-backup`

/** The private key in the only format that OpenSSH reads for Ed25519, unencrypted (PROTOCOL.key of OpenSSH). */
function openSshKey(seed: Buffer, point: Buffer): string {
  const check = randomBytes(4)
  const secret = Buffer.concat([
    ...[check, check, text(algorithm), text(point), text(Buffer.concat([seed, point])), text('condo-backup')],
  ])
  const padding = Buffer.from(Array.from({ length: (8 - (secret.byteLength % 8)) % 8 }, (_, i) => i + 1))
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[text('none'), text('none'), text(''), number(1), text(keyBlob(point))],
    text(Buffer.concat([secret, padding])),
  ])
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? []
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`
}

/** The public half of a saved private key. */
export function publicHalf(privateKey: string): string {
  const body = Buffer.from(privateKey.split('\n').slice(1, -2).join(''), 'base64')
  const start = body.indexOf(text(algorithm)) + text(algorithm).byteLength + 4
  return publicSshKey(body.subarray(start, start + 32))
}
