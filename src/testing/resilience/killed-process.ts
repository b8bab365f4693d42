import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectRoot } from '../../../db/project-root.ts'
import type { TestApp } from '../test-app.ts'

/** Where `build-scripts.ts` builds the scripts of this folder before the tests. */
export const builtScripts = join(projectRoot, 'node_modules/.cache/killed-scripts')

/** Runs a script of this folder on the app's store, and resolves with the signal that ended it, or its exit code. */
export async function runUntilKilled(
  { deps }: Pick<TestApp, 'deps'>,
  script: string,
  args: string[],
  env: { FAILPOINT: string; [name: string]: string },
): Promise<unknown> {
  const { databaseFile, uploadsDir } = deps.config
  const path = join(builtScripts, script.replace('.ts', '.js'))
  const child = spawn(process.execPath, [path, ...args], {
    env: { DATABASE_FILE: databaseFile, UPLOADS_DIR: uploadsDir, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}
