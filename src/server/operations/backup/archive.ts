import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Pack, pack } from 'tar-stream'
import { z } from 'zod'

// A backup is a gzipped tar: database.sqlite, files/NAME …, orphans/NAME …, and manifest.json last, so that a truncated
// archive has no manifest. Everything is streamed: memory use does not grow with the store.

export const databaseEntry = 'database.sqlite'
export const fileEntry = (storageName: string) => `files/${storageName}`
/** A file from the uploads folder's folder of orphans, with its name there. */
export const orphanEntry = (name: string) => `orphans/${name}`
export const isOrphanEntry = (name: string) => name.startsWith('orphans/')
const manifestEntry = 'manifest.json'
const knownEntry = /^(database\.sqlite|manifest\.json|files\/[0-9a-f]{48}|orphans\/(?!\.{1,2}$)[^/\0]+)$/
const manifestLimitBytes = 256 * 1024 * 1024

const content = z.object({ name: z.string(), sha256: z.string().length(64), sizeBytes: z.number().int() })
const manifestShape = z.object({
  format: z.literal(1, 'This backup was made by a newer version of the program.'),
  createdAt: z.string(),
  program: z.string(),
  entries: z.array(content),
  /** Stored files that were already damaged or missing when the backup was made. */
  damaged: z.array(z.object({ name: z.string(), problem: z.enum(['missing', 'damaged']) })),
  /** Whether a backup elsewhere has the key of the installation. */
  hasKey: z.boolean().optional(),
})
export type Content = z.infer<typeof content>
export type Manifest = z.infer<typeof manifestShape>

/** The file is not a complete backup of this program; the message gives the reason. */
export class BackupDamagedError extends Error {}

export type ArchiveWriter = {
  /** Adds a file, which must not change while it is read; returns its hash and size. */
  add: (name: string, path: string) => Promise<Content>
  /** Adds the manifest and resolves when the archive is on disk. */
  finish: (manifest: Manifest) => Promise<void>
}

/** Creates an archive at a path that does not exist yet, readable only by the file's owner. */
export function createArchive(path: string): ArchiveWriter {
  const tar = pack()
  const written = pipeline(
    tar,
    createGzip(),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  )
  written.catch(() => {})
  /** Throws the error of writing the archive, if there is one, as it is the root cause; else the given error. */
  const orWritingError = async (error: unknown): Promise<never> => {
    tar.destroy()
    await written
    throw error
  }
  return {
    add: (name, from) => addFile(tar, name, from).catch(orWritingError),
    async finish(manifest) {
      tar.entry({ name: manifestEntry, mode: 0o600 }, JSON.stringify(manifest))
      tar.finalize()
      await written
    },
  }
}

async function addFile(tar: Pack, name: string, from: string): Promise<Content> {
  const { size } = await stat(from)
  const meter = createMeter()
  await pipeline(createReadStream(from), meter.pass, tar.entry({ name, size, mode: 0o600 }))
  return { name, ...meter.result() }
}

/**
 * Reads a whole archive and checks every hash. `sink` returns the stream that an entry is written to; without it the
 * entries are only checked. Resolves only if the archive has exactly the entries of the manifest.
 * @throws BackupDamagedError
 */
export async function readArchive(
  path: string,
  sink: (name: string) => Writable = () => new Writable({ write: (_chunk, _encoding, done) => done() }),
): Promise<Manifest> {
  const tar = extract()
  const reading = pipeline(createReadStream(path), createGunzip(), tar)
  reading.catch(() => {})
  const found = new Map<string, Content>()
  let manifest: Manifest | undefined
  try {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header
      if (type !== 'file' || !knownEntry.test(name) || found.has(name) || manifest)
        throw new BackupDamagedError(`"${name}" does not belong into a backup.`)
      if (name === manifestEntry) {
        if (size > manifestLimitBytes) throw new BackupDamagedError('Its manifest is too large.')
        manifest = parseManifest(await text(entry))
      } else {
        const meter = createMeter()
        await pipeline(entry, meter.pass, sink(name))
        found.set(name, { name, ...meter.result() })
      }
    }
    await reading
  } catch (error) {
    tar.destroy()
    throw isArchiveError(error) ? new BackupDamagedError(`${error.message}.`, { cause: error }) : error
  }
  if (!manifest) throw new BackupDamagedError('It has no manifest: it was cut off.')
  requireComplete(manifest, found)
  return manifest
}

function requireComplete(manifest: Manifest, found: ReadonlyMap<string, Content>): void {
  for (const expected of manifest.entries) {
    const actual = found.get(expected.name)
    if (!actual) throw new BackupDamagedError(`${expected.name} is missing in it.`)
    if (actual.sha256 !== expected.sha256) throw new BackupDamagedError(`${expected.name} is damaged in it.`)
  }
  if (found.size !== manifest.entries.length || !found.has(databaseEntry))
    throw new BackupDamagedError('It does not hold what its manifest says.')
}

/** The number of stored files in an archive. */
export const countFiles = ({ entries }: Manifest): number =>
  entries.filter(({ name }) => name !== databaseEntry && !isOrphanEntry(name)).length

/** @throws BackupDamagedError */
export function parseManifest(json: string): Manifest {
  try {
    return manifestShape.parse(JSON.parse(json))
  } catch (cause) {
    const issue = cause instanceof z.ZodError ? cause.issues[0]?.message : undefined
    throw new BackupDamagedError(issue ?? 'Its manifest cannot be read.', { cause })
  }
}

/** A pass-through stream that computes the hash and number of its bytes. */
function createMeter() {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const pass = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      sizeBytes += chunk.byteLength
      done(null, chunk)
    },
  })
  return {
    pass,
    result: () => ({ sha256: hash.digest('hex'), sizeBytes }),
  }
}

/** Whether gzip or tar failed, as opposed to the disk. */
function isArchiveError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^Z_/.test(code) || /tar header|Unexpected end of data/i.test(error.message)
}
