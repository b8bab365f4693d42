import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { freePort } from '../site-process.ts'

export type RunningServer = {
  url: string
  pid: number
  stop: () => Promise<void>
}

/** Starts a server in a separate process that logs to a file, as under systemd, and waits until it responds. */
export async function serve(
  script: string,
  { env, firstPath, log }: { env: NodeJS.ProcessEnv; firstPath: string; log: string },
): Promise<RunningServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const logFile = await open(log, 'a')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', logFile.fd, logFile.fd],
  })
  await logFile.close()
  while (true) {
    const answered = await fetch(url + firstPath).then(
      response => response.ok,
      () => false,
    )
    if (answered) break
    if (child.exitCode !== null || performance.now() - startedAt > 30_000)
      throw new Error(`${script} did not start:\n${readFileSync(log, 'utf8')}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return { url, pid: child.pid ?? 0, stop: () => stop(child) }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

const ticksPerSecond = 100

/** Processor time of a process so far, in seconds; 0 if the system does not report it (not Linux). */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) / ticksPerSecond
  } catch {
    return 0
  }
}
