import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { projectRoot } from '../../db/project-root.ts'

export type Site = {
  url: string
  /** Everything the server has printed so far. */
  output: () => string
  /** Shuts the process down, if it is still running, and starts it again on the same data. */
  restart: (env?: Record<string, string>) => Promise<void>
}
export type RunningSite = Site & {
  pid: () => number | undefined
  hasEnded: () => boolean
  /** Resolves with the exit code; null if the process was killed. */
  stop: () => Promise<number | null>
}

/**
 * Starts the build in `root` as a separate process with its data in `folder`, on `env.PORT` or by default on any free
 * port.
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

  // A killed process has no exit code.
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
 * A free port below the range that the kernel uses for outgoing connections. A port in that range could be taken
 * between this check and the start of the server.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ++lastPort
    if (await canListen(port)) return port
  }
}

/** Tests run in several processes, so each process starts at a different port. */
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
