import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupMessages } from '../../domain/content/backup-target.ts'
import { listSnapshots, repositoryState, restic } from '../../server/operations/backup/elsewhere/restic.ts'
import { tryTarget } from '../../server/operations/backup/elsewhere/save-target.ts'
import { isElsewhereDue } from '../../server/operations/backup/elsewhere/state.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { afterThisTest } from '../cleanups.ts'
import { everyRow } from '../every-row.ts'
import { freePort } from '../site-process.ts'
import { environment, quiet, restoreBy, sftpHost, site, withSheet } from './backup-site.ts'
import { bucketHost } from './bucket-host.ts'

test('a try makes the repository and writes, reads and removes a file; a backup and the sheet restore all of it [INST-20, INST-21, INST-25]', async () => {
  const made = await site()
  const { app, backUp, backups, folder, repository, save } = made
  await expect(backups.try()).rejects.toThrow(backupMessages.noTarget)
  await save('folder', folder)
  expect(await isElsewhereDue(app.deps)).toBe(true)
  expect(await backups.try()).toMatchObject({ isQueued: true, made: null })
  expect(JSON.parse((await restic(repository(), ['snapshots', '--json', '--no-lock'])).output)).toEqual([])
  await backUp()
  expect(await backups.get()).toMatchObject({
    isQueued: false,
    failed: null,
    made: { files: 1 },
    test: { fault: null, isWhole: true },
  })

  const sheet = await withSheet(made)
  expect(sheet.command).toBe(`npm run cli -- restore ${folder}`)
  await expect(backups.confirm({ groups: ['AAAA', 'BBBB'] })).rejects.toThrow(backupMessages.wrongGroups)
  expect(await sheet.confirm()).toMatchObject({ sheet: { isWaiting: false } })
  await expect(sheet.confirm()).rejects.toThrow(backupMessages.sheetOver)

  const mistyped = await restoreBy(app, [folder], [sheet.phrase.replace(/^./, c => (c === '0' ? '1' : '0'))])
  expect([mistyped.code, mistyped.lines]).toEqual([1, expect.stringContaining('The phrase is mistyped.')])
  const { code, lines, place } = await restoreBy(app, [folder], [sheet.phrase])
  expect([code, lines]).toEqual([0, expect.stringContaining('the database and 1 files')])
  expect((await verifyStore(place, quiet)).faults).toEqual([])
  const keyOf = (file: string) => readFileSync(join(file, '../secret.key'))
  expect(keyOf(place.databaseFile)).toEqual(keyOf(app.deps.config.databaseFile))
  expect(readFileSync(join(place.databaseFile, '../restored.env'), 'utf8')).toContain(
    `SMTP_URL=${environment.SMTP_URL}`,
  )
  expect(existsSync(join(app.folder, 'restic/staging'))).toBe(false)
})

test('a new sheet ends the former phrase only once two of its groups were typed back [INST-21]', async () => {
  const made = await site()
  const { backUp, folder, repository, save } = made
  await save('folder', folder)
  await made.backups.try()
  await backUp()
  const opens = (phrase: string) => repositoryState({ ...repository(), password: phrase })
  const first = await withSheet(made)
  await first.confirm()
  const unseen = await withSheet(made)
  const second = await withSheet(made)
  expect([await opens(first.phrase), await opens(unseen.phrase), await opens(second.phrase)]).toEqual([
    'opens',
    'locked',
    'opens',
  ])
  await second.confirm()
  expect([await opens(first.phrase), await opens(second.phrase)]).toEqual(['locked', 'opens'])
  expect(await repositoryState(repository())).toBe('opens')
})

test('backups of another site are told, and neither opened nor overwritten [INST-20]', async () => {
  const one = await site()
  await one.save('folder', one.folder)
  await one.backups.try()
  await one.backUp()
  const other = await site()
  await other.save('folder', one.folder)
  await expect(other.backups.try()).rejects.toThrow(backupMessages.others)
  await expect(other.backUp()).rejects.toThrow(/wrong password/)
  expect(await one.backups.get()).toMatchObject({ failed: null })
  expect(await listSnapshots(one.repository())).toHaveLength(1)
})

test('a bucket with its access key; a wrong key is told in the server’s words, without the secret [INST-20, INST-23]', async () => {
  const made = await site()
  const host = await bucketHost('AKIDEXAMPLE')
  const { app, backUp, backups, save } = made
  await expect(save('s3', host.address, { user: 'AKIDEXAMPLE', secretKey: 'x' })).rejects.toThrow(
    backupMessages.local,
  )
  app.deps.config.fetchAllow.push(host.origin)
  await expect(save('s3', host.address, { user: 'AKIDEXAMPLE' })).rejects.toThrow(backupMessages.secretNeeded)
  await save('s3', host.address, { user: 'SOMEBODY', secretKey: 'planted-secret-key' })
  const refused = await backups.try().catch((error: Error) => error.message)
  expect(refused).toMatch(/denied/i)
  expect(refused).not.toContain('planted-secret-key')
  await expect(save('s3', host.address, { user: 'AKIDEXAMPLE' })).rejects.toThrow(backupMessages.secretNeeded)
  await save('s3', host.address, { user: 'AKIDEXAMPLE', secretKey: 'planted-secret-key' })
  await backups.try()
  await backUp()
  const sheet = await withSheet(made)
  expect(sheet).toMatchObject({ user: 'AKIDEXAMPLE', secretKey: 'planted-secret-key' })
  const answers = [sheet.phrase, 'planted-secret-key']
  const { code, place } = await restoreBy(app, [sheet.target, '--user', 'AKIDEXAMPLE'], answers)
  expect([code, (await verifyStore(place, quiet)).faults]).toEqual([0, []])
  const rows = JSON.stringify(everyRow(app))
  for (const secret of ['planted-secret-key', sheet.phrase, ...sheet.phrase.split('-')])
    expect(rows).not.toContain(secret)
  expect(JSON.stringify(await backups.get())).not.toContain('planted-secret-key')
}, 180_000)

test('an SFTP server takes the key that the site shows [INST-20]', async () => {
  const made = await site()
  const { app, backUp, backups, save } = made
  const { port, authorize, root } = await sftpHost(app)
  app.deps.config.fetchAllow.push(`http://127.0.0.1:${port}`)
  const { sshPublicKey } = await save('sftp', `127.0.0.1:${port}${root}/condo`, { user: 'root' })
  await expect(backups.try()).rejects.toThrow()
  authorize(sshPublicKey ?? '')
  await backups.try()
  await backUp()
  expect(await listSnapshots(made.repository())).toHaveLength(1)
  expect(readdirSync(made.repository().work).filter(name => name.startsWith('ssh-'))).toEqual([])
})

test('a target that never answers ends after its time [INST-20]', async () => {
  const { admin, app, save } = await site()
  const silent = createServer(() => {})
  const port = await freePort()
  await new Promise<void>(resolve => silent.listen(port, '127.0.0.1', resolve))
  afterThisTest(() => void silent.close())
  app.deps.config.fetchAllow.push(`http://127.0.0.1:${port}`)
  await save('s3', `http://127.0.0.1:${port}/bucket`, { user: 'A', secretKey: 'b' })
  await expect(tryTarget(app.deps, admin, 1500)).rejects.toThrow(backupMessages.silent)
})

test('a backup is due an hour after a write, and after a day in any case; a failure is told and repeated hourly [INST-26, INST-27]', async () => {
  const { app, backUp, backups, folder, save } = await site()
  await save('folder', folder)
  await backups.try()
  await backUp()
  const due = () => isElsewhereDue(app.deps)
  expect(await due()).toBe(false)
  app.advance(3_600_000)
  const base = app.deps.config.databaseFile
  // The test's clock is not that of the files.
  const touch = async () => app.makeUser()
  const before = statSync(`${base}-wal`).mtimeMs
  await touch()
  expect(statSync(`${base}-wal`).mtimeMs).toBeGreaterThanOrEqual(before)
  expect(await due()).toBe(true)
  app.advance(23 * 3_600_000)
  expect(await due()).toBe(true)
  rmSync(folder, { recursive: true })
  await expect(backUp()).rejects.toThrow()
  const { failed } = await backups.get()
  expect(failed?.reason).not.toBe('')
  expect(await due()).toBe(false)
  app.advance(3_600_000)
  expect(await due()).toBe(true)
})

test('old backups are thinned as one group, whatever their number of files [INST-26]', async () => {
  const { app, backUp, backups, folder, notices, repository, save } = await site()
  await save('folder', folder)
  await backups.try()
  const old = (time: string, files: string) =>
    restic(repository(), ['backup', '.', '-q', '--time', time, '--tag', 'condo', '--tag', files], {
      cwd: '/etc/apt',
    })
  for (const [i, time] of ['2025-03-10 08:00:00', '2025-03-10 09:00:00', '2025-03-11 08:00:00'].entries())
    await old(time, `files-${i}`)
  await backUp()
  // Of the two on the same day, the later one is kept.
  const left = (await listSnapshots(repository())).map(({ at }) => at.slice(0, 10))
  expect(left).toHaveLength(3)
  expect(left).toContain('2025-03-11')

  // Dated ahead, they would take the places of the others.
  await old('2099-03-10 08:00:00', 'files-9')
  await old('2025-03-12 08:00:00', 'files-8')
  await old('2025-03-12 09:00:00', 'files-7')
  const before = await listSnapshots(repository())
  app.advance(24 * 3_600_000)
  await backUp()
  expect(await listSnapshots(repository())).toHaveLength(before.length + 1)
  const warning = async () => (await notices()).find(({ id }) => id === 'elsewhere-ahead')
  expect(await warning()).toMatchObject({
    tone: 'warning',
    title: 'Old backups elsewhere are not deleted',
    detail: expect.stringMatching(
      /^1 backup there is dated ahead of the clock\. Until Mar \d+, 2099 nothing is deleted/,
    ),
  })
  const [lost] = before.filter(({ isAhead }) => isAhead)
  await restic(repository(), ['forget', lost?.id ?? '', '-q'])
  app.advance(24 * 3_600_000)
  await backUp()
  expect(await warning()).toBeUndefined()
})

test('a file that was damaged at the backup is told by the test, and a restore brings everything else [INST-25, INST-28]', async () => {
  const made = await site()
  const { app, backUp, backups, folder, save } = made
  const { uploadsDir } = app.deps.config
  const [stored = ''] = readdirSync(uploadsDir).filter(name => /^[0-9a-f]{48}$/.test(name))
  appendFileSync(join(uploadsDir, stored), 'x')
  await save('folder', folder)
  await backups.try()
  await backUp()
  expect((await backups.get()).test?.fault).toBe(`The file ${stored} was damaged when the backup was made.`)
  const { phrase } = await withSheet(made)
  const { code, lines, place } = await restoreBy(app, [folder], [phrase])
  expect([code, lines]).toEqual([
    0,
    expect.stringContaining(`${stored} was damaged when the backup was made.`),
  ])
  expect(existsSync(place.databaseFile)).toBe(true)
})

test('a damaged repository fails the test restore, which is a danger until one is good [INST-28]', async () => {
  const { admin, app, backUp, backups, folder, save } = await site()
  await save('folder', folder)
  await backups.try()
  await backUp()
  const good = join(app.folder, 'good')
  cpSync(folder, good, { recursive: true })
  for (const name of readdirSync(join(folder, 'data'), { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, 'data', name)
    if (statSync(path).isFile()) {
      const bytes = readFileSync(path)
      rmSync(path)
      writeFileSync(
        path,
        Buffer.concat([
          bytes.subarray(0, bytes.length >> 1),
          Buffer.alloc(bytes.length - (bytes.length >> 1), 7),
        ]),
      )
    }
  }
  rmSync(join(app.deps.config.databaseFile, '../restic/cache'), { recursive: true, force: true })
  await backUp({ test: true }).catch(() => {})
  const ids = async () => (await app.as(admin).notices.list()).notices.map(({ id }) => id)
  const state = await backups.get()
  expect(state.test?.fault ?? state.failed?.reason).toBeTruthy()
  expect((await ids()).filter(id => /^elsewhere-(test|failed)/.test(id))).not.toEqual([])
  rmSync(folder, { recursive: true })
  cpSync(good, folder, { recursive: true })
  rmSync(join(app.deps.config.databaseFile, '../restic/cache'), { recursive: true, force: true })
  await backUp({ test: true })
  expect((await ids()).filter(id => /^elsewhere-(test|failed)/.test(id))).toEqual([])
})

test('a killed backup leaves the older ones whole, and its lock goes with the next [INST-27]', async () => {
  const { app, backUp, backups, folder, repository, save } = await site()
  await save('folder', folder)
  await backups.try()
  await backUp()
  const { hostname } = await import('node:os')
  const child = spawn(
    'restic',
    ['backup', '--stdin', '--password-command', `echo ${repository().password}`],
    {
      env: { PATH: process.env.PATH, RESTIC_REPOSITORY: folder, HOME: app.folder },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  child.stdin.write('half')
  const locks = () => readdirSync(join(folder, 'locks')).length
  await expect.poll(locks, { timeout: 20_000 }).toBe(1)
  child.kill('SIGKILL')
  await new Promise(resolve => child.once('exit', resolve))
  expect([locks(), hostname()]).toEqual([1, expect.any(String)])
  await backUp({ test: true })
  expect(locks()).toBe(0)
  expect(await listSnapshots(repository())).toHaveLength(2)
  expect(await backups.get()).toMatchObject({ test: { fault: null } })
})
