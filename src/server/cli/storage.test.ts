import { existsSync, readdirSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../db/open.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { testApp } from '../../testing/test-app.ts'
import { testFolder } from '../../testing/test-folder.ts'
import { startMailWorker } from '../mail/worker.ts'
import { runCli } from './run-cli.ts'

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

const at = (name: string) => ({
  DATABASE_FILE: join(folder, name, 'db/portal.sqlite'),
  UPLOADS_DIR: join(folder, name, 'uploads'),
  BACKUP_DIR: join(folder, name, 'backups'),
  BACKUP_KEEP: '2',
})
async function run(args: string[], environment: Record<string, string> = at('here')) {
  const printed: string[] = []
  const code = await runCli(args, {
    print: line => void printed.push(line),
    readSecret: async () => '',
    isInteractive: false,
    environment: { ...environment, INIT_CWD: folder },
  })
  return { code, text: printed.join('\n'), last: printed.at(-1) ?? '' }
}
const newDatabase = () => openDatabase(at('here').DATABASE_FILE).close()

test('runs backup, verify and restore from the command line', async () => {
  newDatabase()
  expect(await run(['backup', 'one.tar.gz'])).toMatchObject({
    code: 0,
    last: expect.stringMatching(/^Saved .*one\.tar\.gz \(0\.0 MB, 0 files\)\.$/),
  })
  const file = join(folder, 'one.tar.gz')
  expect(existsSync(file)).toBe(true)
  expect(await run(['backup', 'one.tar.gz'])).toMatchObject({
    code: 1,
    last: `${file} already exists. Nothing was written.`,
  })
  expect(await run(['verify', file])).toMatchObject({
    code: 0,
    last: expect.stringContaining('All is well: a backup of'),
  })
  expect(await run(['verify'])).toMatchObject({ code: 0, last: 'All is well: the database and 0 files.' })
  expect(await run(['restore', file])).toMatchObject({
    code: 1,
    last: expect.stringContaining('into an empty place only'),
  })
  expect(await run(['restore', file], at('there'))).toMatchObject({
    code: 0,
    text: expect.stringContaining('Restored the backup of'),
  })
  expect(await run(['verify'], at('there'))).toMatchObject({ code: 0 })

  truncateSync(file, statSync(file).size - 20)
  expect(await run(['verify', file])).toMatchObject({
    code: 1,
    last: expect.stringContaining('is not a complete backup'),
  })
  expect(await run(['restore', file], at('nowhere'))).toMatchObject({
    code: 1,
    last: expect.stringContaining('cannot be restored'),
  })
})

test('says in a sentence that a time or a path is wrong', async () => {
  newDatabase()
  const { DATABASE_FILE: file } = at('here')
  expect(await run(['mark-copy', file, '--from', 'yesterday'])).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^Expected a time such as/),
  })
  const text = join(folder, 'text')
  writeFileSync(text, 'no database '.repeat(100))
  for (const wrong of ['missing/x.sqlite', text]) {
    const told = {
      code: 1,
      text: expect.stringMatching(/^(The database cannot be used: |There is no database at ).+\.$/),
    }
    expect(await run(['mark-copy', wrong, '--from', '2026-03-04T17:00:00Z'])).toMatchObject(told)
    expect(await run(['entered', wrong])).toMatchObject(told)
  }
  const foreign = join(folder, 'foreign.sqlite')
  const other = new SqliteDatabase(foreign)
  other.exec('create table t (x)')
  other.close()
  expect(await run(['mark-copy', foreign, '--from', '2026-03-04T17:00:00Z'])).toMatchObject({
    code: 1,
    text: 'The database cannot be used: no such table: outbox.',
  })
  expect(await run(['verify'])).toMatchObject({ code: 0 })
})

test('shows where a fault of the program was', async () => {
  newDatabase()
  const { DATABASE_FILE: file } = at('here')
  const { close, sqlite } = openDatabase(file)
  sqlite.exec('alter table sequences rename column last_value to another')
  close()
  expect(await run(['mark-copy', file, '--from', '2026-03-04T17:00:00Z'])).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^SqliteError: no such column: last_value\n +at /),
  })
})

test('stores backups without a name in the backup folder, and keeps the newest', async () => {
  newDatabase()
  for (const day of [1, 2, 3]) {
    expect((await run(['backup'])).code).toBe(0)
    const [name = ''] = readdirSync(at('here').BACKUP_DIR)
      .filter(name => !name.startsWith('condo-2001'))
      .sort()
      .reverse()

    renameSync(
      join(at('here').BACKUP_DIR, name),
      join(at('here').BACKUP_DIR, `condo-2001-01-0${day}T00-00-00Z.tar.gz`),
    )
  }
  const ahead = 'condo-2999-01-01T00-00-00Z.tar.gz'
  writeFileSync(join(at('here').BACKUP_DIR, ahead), '')
  const { code, last, text } = await run(['backup'])
  expect({ code, last }).toEqual({
    code: 0,
    last: 'Older backups deleted: 1. At most 2 are kept, on a fifth of the disk.',
  })
  expect(text).toContain('Backups dated in the future: 1.')
  expect(readdirSync(at('here').BACKUP_DIR).sort()).toEqual([
    'condo-2001-01-03T00-00-00Z.tar.gz',
    expect.stringMatching(/^condo-20[2-9]/),
    ahead,
  ])
})

test.each([
  [['backup'], /^There is no database at/],
  [['verify'], /^There is no database at/],
  [['verify', 'none.tar.gz'], /^There is no file/],
  [['restore', 'none.tar.gz'], /^There is no file/],
])('%j fails with one message and creates nothing if there is no data', async (args, sentence) => {
  const { code, last } = await run(args, at('empty'))
  expect(code).toBe(1)
  expect(last).toMatch(sentence)
  expect(existsSync(join(folder, 'empty/db'))).toBe(false)
})

test.each([
  [['backup', 'a', 'b']],
  [['restore']],
  [['restore', 'a', 'b']],
  [['verify', 'a', 'b']],
  [['backup', '--force']],
  [['test-mail']],
])('%j prints the help', async args => {
  const { code, text } = await run(args)
  expect(code).toBe(2)
  expect(text).toContain(`npm run cli -- ${args[0]}`)
})

test.each(['backup', 'restore', 'verify', 'test-mail'])('%s has help', async name => {
  expect(await run([name, '--help'])).toMatchObject({
    code: 0,
    text: expect.stringContaining('Exits with 0'),
  })
})

test('test-mail reports the result of the mail server', async () => {
  const answers = { refuse: false }
  const app = await testApp({
    replace: {
      clock: { now: () => new Date() },
      mail: {
        send: async () => {
          if (answers.refuse) throw new Error('454 not now')
        },
      },
    },
  })
  const { databaseFile, uploadsDir } = app.deps.config
  const environment = { DATABASE_FILE: databaseFile, UPLOADS_DIR: uploadsDir }
  const waiting = await run(['test-mail', '--to', 'owner@condo.example', '--wait', '0'], environment)
  expect(waiting).toMatchObject({ code: 1, last: expect.stringContaining('The mail is still queued.') })

  const worker = startMailWorker(app.deps, noMailSources)
  const taken = run(['test-mail', '--to', 'owner@condo.example'], environment)
  expect(await taken).toMatchObject({ code: 0, last: 'The mail server accepted the mail.' })
  answers.refuse = true
  const refused = run(['test-mail', '--to', 'owner@condo.example'], environment)
  expect(await refused).toMatchObject({
    code: 1,
    last: 'The mail server did not accept the mail: 454 not now',
  })
  expect((await run(['test-mail', '--to', 'nobody'], environment)).code).toBe(1)
  await worker.stop()
}, 30_000)
