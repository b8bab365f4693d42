import { fork } from 'node:child_process'

export type ChildJob = {
  /** A script that replies to one message with one message. */
  script: string
  request: object
  /** The child's entire environment. */
  env: NodeJS.ProcessEnv
  execArgv?: readonly string[]
  timeoutMs: number
  /** Aborting it kills the child. */
  signal: AbortSignal
  /** For measurements, and for tests that kill the child. */
  onStart?: ((pid: number) => void) | undefined
}
/** `reason` is for the log; `wasKilled` is true if the child was killed or never started. */
export type ChildOutcome<Reply> =
  | { kind: 'replied'; reply: Reply }
  | { kind: 'died'; reason: string; wasKilled: boolean }

/** Runs one job in a child process. Resolves when the process has ended, even after a crash; never throws. */
export function runInChildProcess<Reply>(job: ChildJob): Promise<ChildOutcome<Reply>> {
  return new Promise(resolve => {
    const child = fork(job.script, [], {
      env: job.env,
      execArgv: [...(job.execArgv ?? [])],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let outcome: ChildOutcome<Reply> | undefined
    const end = (how: ChildOutcome<Reply>) => {
      outcome ??= how
      child.kill('SIGKILL')
    }
    const kill = (reason: string) => end({ kind: 'died', reason, wasKilled: true })
    const stop = () => kill('it was ended')
    const timer = setTimeout(() => kill(`it took longer than ${job.timeoutMs / 1000} s`), job.timeoutMs)
    const settle = (how: ChildOutcome<Reply>) => {
      clearTimeout(timer)
      job.signal.removeEventListener('abort', stop)
      resolve(outcome ?? how)
    }
    child.once('message', reply => end({ kind: 'replied', reply: reply as Reply }))
    child.once('exit', (code, signal) =>
      // The kernel sends SIGKILL when memory runs out; a crash has another signal.
      settle({ kind: 'died', reason: `it ended with ${signal ?? code}`, wasKilled: signal === 'SIGKILL' }),
    )
    child.on('error', error => {
      // A child that never started emits no `exit`.
      if (child.pid === undefined) settle({ kind: 'died', reason: error.message, wasKilled: true })
    })
    if (child.pid !== undefined) job.onStart?.(child.pid)
    if (job.signal.aborted) stop()
    job.signal.addEventListener('abort', stop)
    child.send(job.request, () => {})
  })
}
