import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { testFolder } from './test-folder.ts'

test.each([
  ['a table', 'db/schema/money.ts', 'built, ran'],
  ['nothing that is built', 'docs/api.md', 'ran'],
  ['the database, which a running site writes', 'db/portal.sqlite-wal', 'ran'],
])('builds before it runs if newer than the build is %s', (_, changed, said) => {
  const folder = testFolder()
  const write = (path: string, text = '') => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const name of ['run.mjs', 'ensure-node.mjs'])
    cpSync(join(projectRoot, 'scripts', name), join(folder, 'scripts', name))
  write('scripts/build.mjs', "process.stdout.write('built, ')")
  write('dist/server/cli.js', "process.stdout.write('ran')")
  write(changed)
  const later = Date.now() / 1000 + 60
  utimesSync(join(folder, changed), later, later)
  const { stdout } = spawnSync(process.execPath, [join(folder, 'scripts/run.mjs'), 'cli'])
  expect(String(stdout)).toBe(said)
})
