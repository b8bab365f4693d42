import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { projectRoot } from '../../db/project-root.ts'

export type Site = {
  url: string
  /** Everything the server printed so far. */
  output: () => string
  /** Stops the process in order, if it still lives, and starts it again on the same data. */
  restart: (env?: Record<string, string>) => Promise<void>
}
export type RunningSite = Site & {
  pid: () => number | undefined
  hasEnded: () => boolean
  /** Resolves with its exit code; null for a process that was killed. */
  stop: () => Promise<number | null>
}

/**
 * Starts the build, or that of another root, in a process of its own, with its data in the folder; on any free port
 * unless `env.PORT` names one.
 */
export async function startSite(
  folder: string,
  env: Record<string, string> = {},
  root = projectRoot,
): Promise<RunningSite> {
  const port = env.PORT ?? (await freePort())
  const url = `http://localhost:${port}`
  let output = ''
  let child: ChildProcess

  // One that was killed has no code.
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  const start = async (more: Record<string, string> = {}) => {
    child = spawn(process.execPath, [join(root, 'dist/server/server.js')], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DATABASE_FILE: join(folder, 'portal.sqlite'),
        UPLOADS_DIR: join(folder, 'uploads'),
        DEMO_SEED: 'off',
        BACKUPS: 'off',
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    for (let waitedMs = 0; ; waitedMs += 50) {
      const healthy = await fetch(`${url}/api/health`).then(
        response => response.ok,
        () => false,
      )
      if (healthy) return
      if (hasEnded() || waitedMs > 20_000) throw new Error(`the site did not start:\n${output}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  const stop = () =>
    new Promise<number | null>(resolve => {
      if (hasEnded()) return resolve(child.exitCode)
      child.once('exit', resolve)
      child.kill('SIGTERM')
    })

  await start()
  return {
    url,
    output: () => output,
    pid: () => child.pid,
    hasEnded,
    stop,
    restart: async more => {
      await stop()
      await start(more)
    },
  }
}

/**
 * A port that nobody listens on, from below those that the kernel gives to outgoing connections: one of these could be
 * taken between the look and the start of who is to listen.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ++lastPort
    if (await canListen(port)) return port
  }
}

/** Far apart from process to process, as tests run in several. */
let lastPort = 10_000 + ((process.pid * 331) % 20_000)

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}
