/** Kills the process if the environment names this point: for tests of crash recovery. */
export function failpoint(name: string): void {
  if (process.env.FAILPOINT === name) process.kill(process.pid, 'SIGKILL')
}
