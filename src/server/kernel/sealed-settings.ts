import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { sealedSettings } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import { seal, unseal } from '../lib/sealed.ts'
import type { Config } from './config.ts'
import { type Deps, nowIso } from './deps.ts'

/**
 * `smtp.inUse` is everything that the mail server needs, sealed as one text when a test mail has arrived; `backup.key`
 * is the password of the repository of backups.
 */
export type SealedName =
  | 'smtp.password'
  | 'smtp.inUse'
  | 'stripe.secretKey'
  | 'stripe.webhookSecret'
  | 'backup.key'
  | 'backup.secret'
  | 'backup.sshKey'
/** Where settings come from: the environment, the demo, or what the owner saves here. */
export type SettingsSource = 'server' | 'demo' | 'here'

type SealedDeps = Pick<Deps, 'db' | 'key'>

export const mailSource = ({ mailbox, smtpUrl }: Config): SettingsSource =>
  mailbox ? 'demo' : smtpUrl ? 'server' : 'here'

export const cardSource = ({ sandbox, stripe }: Config): SettingsSource =>
  sandbox ? 'demo' : stripe.secretKey || stripe.webhookSecret ? 'server' : 'here'

/** @throws AppError conflict for what the environment or the demo decides */
export function requireOwnSettings(source: SettingsSource): void {
  if (source === 'here') return
  const message = source === 'demo' ? 'The demo does not change this.' : 'This is set on the server.'
  throw new AppError('conflict', `${message} It cannot be changed here.`)
}

const rowOf = (db: Db, name: SealedName) =>
  db.select().from(sealedSettings).where(eq(sealedSettings.name, name)).get()

/** The encrypted text, to notice changes; empty if none is saved. */
export const sealedText = (db: Db, name: SealedName): string => rowOf(db, name)?.sealed ?? ''

/** A saved secret; undefined if there is none, or if the key of this site does not open it. */
export function readSealed({ key }: Pick<Deps, 'key'>, db: Db, name: SealedName): string | undefined {
  const row = rowOf(db, name)
  return row && key.state === 'ready' ? unseal(key.key, name, row.sealed)?.toString('utf8') : undefined
}

/** Whether a secret is saved that the key of this site does not open (INST-24). */
export const isLost = (deps: SealedDeps, name: SealedName): boolean =>
  rowOf(deps.db, name) !== undefined && readSealed(deps, deps.db, name) === undefined

/** What is shown of a secret (INST-23); `isLost` if the key of the site does not decrypt it. */
export const secretView = z.strictObject({
  set: z.boolean(),
  hint: z.string(),
  savedAt: wireMoment.nullable(),
  from: z.enum(['server', 'saved']).nullable(),
  isLost: z.boolean(),
})

/** What may be shown of a secret (INST-23). */
export function describeSealed(deps: SealedDeps, name: SealedName, source: SettingsSource) {
  const row = source === 'here' ? rowOf(deps.db, name) : undefined
  return {
    set: source === 'server' || row !== undefined,
    hint: row?.hint ?? '',
    savedAt: row?.updatedAt ?? null,
    from: source === 'server' ? ('server' as const) : row ? ('saved' as const) : null,
    isLost: row !== undefined && isLost(deps, name),
  }
}

/** Four characters of a short password would be a good part of it. */
const minHinted = 12

/** Encrypts and stores a secret; an empty one is removed. @throws AppError unavailable with a damaged key */
export function saveSealed(
  { clock, key }: Pick<Deps, 'clock' | 'key'>,
  tx: Tx,
  { userId }: Pick<Admin, 'userId'>,
  name: SealedName,
  secret: string,
): void {
  if (secret === '') return void tx.delete(sealedSettings).where(eq(sealedSettings.name, name)).run()
  if (key.state !== 'ready')
    throw new AppError('unavailable', 'Secrets cannot be saved at the moment: the site’s key is damaged.')
  const values = {
    sealed: seal(key.key, name, Buffer.from(secret)),
    hint: secret.length < minHinted ? '' : secret.slice(-4),
    version: (rowOf(tx, name)?.version ?? 0) + 1,
    updatedAt: nowIso({ clock }),
    updatedBy: userId,
  }
  tx.insert(sealedSettings)
    .values({ name, ...values })
    .onConflictDoUpdate({ target: sealedSettings.name, set: values })
    .run()
}
