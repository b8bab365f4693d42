// `node scripts/run.mjs server|cli …`: builds if the build is missing, for the server also if it is older than the
// source, then runs the command.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureNode } from './ensure-node.mjs'

await ensureNode()

const root = fileURLToPath(new URL('..', import.meta.url))
const [entry = 'server', ...rest] = process.argv.slice(2)

const sources = ['package-lock.json', 'vite.config.ts', 'index.html', 'server.ts', 'src', 'db']
// A running site keeps its data among the sources by default.
const isData = path => /^db\/[^/]*(sqlite|secret\.key)/.test(path)
const newest = path => {
  if (isData(path)) return 0
  const stat = statSync(`${root}${path}`, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0
  return readdirSync(`${root}${path}`).reduce(
    (latest, name) => Math.max(latest, newest(`${path}/${name}`)),
    0,
  )
}
const built = statSync(`${root}dist/server/${entry}.js`, { throwIfNoEntry: false })?.mtimeMs ?? 0
// A command may run beside the running site, so it must not rebuild the site's files.
if (built === 0 || (entry === 'server' && sources.some(path => newest(path) > built))) {
  if (entry === 'server') console.log('Building the site …')
  const result = spawnSync(process.execPath, [`${root}scripts/build.mjs`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    cwd: root,
  })
  if (result.status !== 0) process.exit(result.status ?? 1)
}
process.argv = [process.argv[0], `${root}dist/server/${entry}.js`, ...rest]
await import(`../dist/server/${entry}.js`)
