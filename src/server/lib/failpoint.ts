/** Kills the process if `FAILPOINT` is this name: for tests of crash recovery. */
export function failpoint(name: string): void {
  if (process.env.FAILPOINT === name) process.kill(process.pid, 'SIGKILL')
}
