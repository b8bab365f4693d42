import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { testFolder } from './test-folder.ts'

test.each([
  ['the site builds before it runs if a table is newer', 'server', 'db/schema/money.ts', 'built, ran'],
  ['the site builds nothing if a document is newer', 'server', 'docs/api.md', 'ran'],
  ['nor if the database is, which a running site writes', 'server', 'db/portal.sqlite-wal', 'ran'],
  ['a command never builds under a running site', 'cli', 'db/schema/money.ts', 'ran'],
])('%s', (_, entry, changed, said) => {
  const folder = testFolder()
  const write = (path: string, text = '') => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const name of ['run.mjs', 'ensure-node.mjs'])
    cpSync(join(projectRoot, 'scripts', name), join(folder, 'scripts', name))
  write('scripts/build.mjs', "process.stdout.write('built, ')")
  write(`dist/server/${entry}.js`, "process.stdout.write('ran')")
  write(changed)
  const later = Date.now() / 1000 + 60
  utimesSync(join(folder, changed), later, later)
  const { stdout } = spawnSync(process.execPath, [join(folder, 'scripts/run.mjs'), entry])
  expect(String(stdout).replace('Building the site …\n', '')).toBe(said)
})
