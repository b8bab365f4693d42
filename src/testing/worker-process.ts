import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../../db/project-root.ts'
import type { TestApp } from './test-app.ts'

/** Runs `src/testing/<file>` as a separate process on the test's database, with a clock stopped at the test's time. */
export async function startWorkerProcess(
  app: TestApp,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  const { databaseFile, uploadsDir } = app.deps.config
  const child = fork(join(projectRoot, 'src/testing', file), {
    env: {
      PATH: process.env.PATH,
      DATABASE_FILE: databaseFile,
      UPLOADS_DIR: uploadsDir,
      NOW: app.deps.clock.now().toISOString(),
      DEMO_SEED: 'off',
      LOG_LEVEL: 'silent',
      ...env,
    },
  })
  await nextMessage(child)
  return child
}

/** Sends a message to the process and returns its reply. */
export async function sendAndWait(child: ChildProcess, message: Serializable): Promise<string> {
  const answer = nextMessage(child)
  child.send(message)
  return answer
}

/** The next message from the process. Fails at once if the process ends instead. */
function nextMessage(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the process ended with ${code}`))
    child.once('exit', ended)
    child.once('message', message => {
      child.off('exit', ended)
      resolve(String(message))
    })
  })
}
