// `npm run bench` runs every part, `npm run bench -- scale` only the named ones.
import { cpus, totalmem } from 'node:os'
import SqliteDatabase from 'better-sqlite3'

const parts: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  reads: () => import('./reads.ts'),
  writes: () => import('./writes.ts'),
  delays: () => import('./delays.ts'),
  scale: () => import('./scale.ts'),
  page: () => import('./page.ts'),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join('", "')}". There are: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
const memory = new SqliteDatabase(':memory:')
const [cpu] = cpus()
console.log(
  `${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ` +
    `node ${process.versions.node}, SQLite ${memory.prepare('select sqlite_version()').pluck().get()}`,
)
memory.close()
for (const [name, load] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const part = await load()
  await part.run()
}
