import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Pack, pack } from 'tar-stream'
import { z } from 'zod'

// A backup is a gzipped tar: database.sqlite, files/NAME …, orphans/NAME …, and last manifest.json, so that an archive
// that was cut off has none. Everything streams: memory does not grow with the store.

export const databaseEntry = 'database.sqlite'
export const fileEntry = (storageName: string) => `files/${storageName}`
/** What was set aside in the folder of files, under whatever name it had. */
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
})
export type Content = z.infer<typeof content>
export type Manifest = z.infer<typeof manifestShape>

/** This is no whole backup of this program; the message says why. */
export class BackupDamagedError extends Error {}

export type ArchiveWriter = {
  /** Adds a file that does not change meanwhile; answers its hash and size. */
  add: (name: string, path: string) => Promise<Content>
  /** Adds the manifest and resolves once the archive is on disk. */
  finish: (manifest: Manifest) => Promise<void>
}

/** Begins an archive at a path that does not exist yet, readable by the owner alone. */
export function createArchive(path: string): ArchiveWriter {
  const tar = pack()
  const written = pipeline(
    tar,
    createGzip(),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  )
  written.catch(() => {})
  /** What really failed, when that was the writing of the archive. */
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
 * Reads an archive from end to end and checks every hash. `sink` says where an entry's bytes go; without it they are
 * only checked. Resolves only when all that the manifest names was there, and nothing else.
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

/** How many of the stored files an archive holds. */
export const countFiles = ({ entries }: Manifest): number =>
  entries.filter(({ name }) => name !== databaseEntry && !isOrphanEntry(name)).length

function parseManifest(json: string): Manifest {
  try {
    return manifestShape.parse(JSON.parse(json))
  } catch (cause) {
    const issue = cause instanceof z.ZodError ? cause.issues[0]?.message : undefined
    throw new BackupDamagedError(issue ?? 'Its manifest cannot be read.', { cause })
  }
}

/** A stream that passes bytes on, with their hash and number in the end. */
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

/** Errors of gzip and tar, as opposed to those of the disk that is written to. */
function isArchiveError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^Z_/.test(code) || /tar header|Unexpected end of data/i.test(error.message)
}
