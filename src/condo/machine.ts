import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import { forTerminal } from '../server/lib/for-terminal.ts'

/** The sentence for the owner; the command ends with 1. */
export class Refusal extends Error {}
/** A refusal before the first change, once the site was stopped. */
export class NothingChanged extends Refusal {}
/** Invalid arguments; the command ends with 2. */
export class Usage extends Error {}

export type Answer = { code: number; out: string; err: string }
export type RunOptions = { input?: string; show?: boolean; timeoutMs?: number; env?: Record<string, string> }

/**
 * What the tool does to a server: durable changes of files below `root`, and commands. Each goes through `before`, so a
 * test can cut the power at every one of them.
 */
export function createMachine({
  ask = askSocket,
  patienceMs = 30_000,
  before = () => {},
  root = '/',
  say = line => print(1, line),
  spawn = spawnCommand,
}: {
  ask?: typeof askSocket
  /** How long a site may take to answer. */
  patienceMs?: number
  before?: (what: string) => void
  root?: string
  say?: (line: string) => void
  spawn?: (command: string, args: string[], options: RunOptions) => Answer
} = {}) {
  const at = (path: string) => join(root, path)
  const syncFolderOf = (path: string) => sync(dirname(at(path)))
  const run = (command: string, args: string[], options: RunOptions = {}) => {
    before([command, ...args].join(' '))
    return spawn(command, args, options)
  }
  const rename = (from: string, to: string) => {
    before(`rename ${from} ${to}`)
    renameSync(at(from), at(to))
    syncFolderOf(from)
    syncFolderOf(to)
  }
  return {
    say,
    complain: (line: string) => print(2, line),
    ask,
    patienceMs,
    /** Runs a command and returns its exit code and output, also when it failed. */
    run,
    /** Runs a command that must succeed, and returns its output. @throws Refusal with its error output */
    must(command: string, args: string[], options?: RunOptions): string {
      const { code, err, out } = run(command, args, options)
      if (code !== 0) throw new Refusal((err || out).trim() || `${command} ended with ${code}.`)
      return out
    },
    exists: (path: string) => existsSync(at(path)),
    sizeOf: (path: string) => (existsSync(at(path)) ? statSync(at(path)).size : 0),
    /** In bytes; free for other users than root. */
    spaceAt(path: string): { free: number; size: number } {
      const { bavail, blocks, bsize } = statfsSync(at(path))
      return { free: bavail * bsize, size: blocks * bsize }
    },
    read: (path: string) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined),
    linkOf: (path: string) => linkTarget(at(path)),
    makeFolder(path: string, mode = 0o755) {
      mkdirSync(at(path), { recursive: true, mode })
      chmodSync(at(path), mode)
    },
    /** Replaces a file, durably and at once. */
    write(path: string, text: string, mode = 0o644) {
      before(`write ${path}`)
      const file = openSync(`${at(path)}.new`, 'w', mode)
      writeSync(file, text)
      fsyncSync(file)
      closeSync(file)
      chmodSync(`${at(path)}.new`, mode)
      rename(`${path}.new`, path)
    },
    /** Points a link elsewhere, at once. */
    link(path: string, target: string) {
      before(`link ${path}`)
      rmSync(`${at(path)}.new`, { force: true })
      symlinkSync(target, `${at(path)}.new`)
      rename(`${path}.new`, path)
    },
    copy(from: string, to: string) {
      before(`copy ${from} ${to}`)
      copyFileSync(at(from), at(to))
      sync(at(to))
      syncFolderOf(to)
    },
    rename,
    remove(path: string) {
      before(`remove ${path}`)
      rmSync(at(path), { recursive: true, force: true })
      if (existsSync(dirname(at(path)))) syncFolderOf(path)
    },
  }
}
export type Machine = ReturnType<typeof createMachine>

/** Asks the site on its socket for its health. The status is 0 if nobody answers. */
function askSocket(socketPath: string): Promise<{ status: number; body: string }> {
  return new Promise(resolve => {
    const none = () => resolve({ status: 0, body: '' })
    const asked = get({ socketPath, path: '/api/health', signal: AbortSignal.timeout(10_000) }, answer => {
      let body = ''
      answer.on('data', chunk => {
        body += chunk
        if (body.length > 64 * 1024) asked.destroy()
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      answer.once('error', none)
    })
    asked.once('error', none).once('close', none)
  })
}

/** Also of a link that leads nowhere. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Written at once, also when whoever reads it has gone. */
function print(stream: 1 | 2, line: string): void {
  try {
    writeSync(stream, `${forTerminal(line)}\n`)
  } catch {
    // `condo status | head`
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

function spawnCommand(command: string, args: string[], options: RunOptions): Answer {
  const given: SpawnSyncOptions = {
    input: options.input,
    env: { ...process.env, ...options.env },
    timeout: options.timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    stdio: options.show ? 'inherit' : ['pipe', 'pipe', 'pipe'],
  }
  const { error, signal, status, stderr, stdout } = spawnSync(command, args, { ...given, encoding: 'utf8' })
  if (error && status === null) return { code: 127, out: '', err: error.message }
  return { code: status ?? (signal ? 1 : 0), out: String(stdout ?? ''), err: String(stderr ?? '') }
}
