import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { nodeVersionProblem } from './src/server/lib/node-version.ts'

const problem = nodeVersionProblem(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}
// What the build compiles to is kept beside it, so that the next start is a fifth shorter; from the source it changes.
if (import.meta.filename.endsWith('.js')) enableCompileCache(join(import.meta.dirname, 'compile-cache'))
// Only now: what follows loads the database driver.
const { startSite } = await import('./src/server/start-site.ts')
await startSite(process.env, process.argv.includes('--dev'))
