import { nodeVersionProblem } from './src/server/node-version.ts'

const problem = nodeVersionProblem(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}
// Only now: what follows loads the database driver.
const { startSite } = await import('./src/server/start-site.ts')
await startSite(process.env, process.argv.includes('--dev'))
