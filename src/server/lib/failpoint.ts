/**
 * A place where a test kills the process to prove that nothing answered is lost and nothing is half there.
 * Does nothing unless the environment names this very point.
 */
export function failpoint(name: string): void {
  if (process.env.FAULT_POINT === name) process.kill(process.pid, 'SIGKILL')
}
