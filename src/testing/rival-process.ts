import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectRoot } from '../../db/project-root.ts'
import type { TestApp } from './test-app.ts'

/** A process of its own on the test's database, as `src/testing/<file>` says, with the test's clock standing still. */
export async function startRival(app: TestApp, file: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
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
  await once(child, 'message')
  return child
}

/** What the process answers to a message. */
export async function ask(child: ChildProcess, message: Serializable): Promise<string> {
  const answer = once(child, 'message')
  child.send(message)
  return String((await answer)[0])
}
