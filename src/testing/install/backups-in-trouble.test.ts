import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { dayMs, hourMs } from '../../domain/common/durations.ts'
import { backupMessages } from '../../domain/content/backup-target.ts'
import { listSnapshots, repositoryState, restic } from '../../server/operations/backup/elsewhere/restic.ts'
import { tryTarget } from '../../server/operations/backup/elsewhere/save-target.ts'
import { afterThisTest } from '../cleanups.ts'
import { productionEnv } from '../production-env.ts'
import { restoreBy, sftpHost, site, withSheet } from './backup-site.ts'
import { bucketHost } from './bucket-host.ts'

type Site = Awaited<ReturnType<typeof site>>
const running = 'A backup elsewhere is running.'

/** A site with a repository and one backup in it. */
async function backedUp() {
  const made = await site()
  await made.save('folder', made.folder)
  await made.backups.try()
  await made.backUp()
  return made
}

/** Set-aside files, so that a backup takes a while. */
function addOrphans({ app }: Site, count = 60) {
  const orphans = join(app.deps.config.uploadsDir, 'orphans')
  mkdirSync(orphans, { recursive: true })
  for (let i = 0; i < count; i += 1)
    writeFileSync(
      join(orphans, `f${String(i).padStart(2, '0')}`),
      createHash('shake256', { outputLength: 3_000_000 }).update(String(i)).digest(),
    )
}

/** The command in a process of its own. */
function command({ app }: Site) {
  const { databaseFile, uploadsDir } = app.deps.config
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server/cli.ts', 'backup', '--elsewhere'], {
    cwd: projectRoot,
    env: { ...process.env, ...productionEnv, DATABASE_FILE: databaseFile, UPLOADS_DIR: uploadsDir },
    stdio: 'ignore',
  })
  afterThisTest(() => void child.kill('SIGKILL'))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  return { child, ended }
}

/** The processes whose arguments or folder name this test's folder. */
const processes = ({ app }: Site): string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      try {
        const parts = ['cmdline', 'environ'].map(name => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
        const isOurs = parts.some(text => text.includes(join(app.folder, 'restic')))
        return isOurs ? [parts[0]?.replaceAll('\0', ' ') ?? ''] : []
      } catch {
        return []
      }
    })
const leftovers = ({ repository }: Site) =>
  readdirSync(repository().work).filter(name => !/^(known_hosts|lock.*)$/.test(name))
const packs = ({ folder }: Site) =>
  readdirSync(join(folder, 'data'), { recursive: true, encoding: 'utf8' }).filter(name =>
    /\/\w{64}$/.test(name),
  ).length
const isReading = (made: Site) => {
  const before = packs(made)
  return expect.poll(() => packs(made), { timeout: 60_000, interval: 5 }).toBeGreaterThan(before)
}

async function silentHost(made: Site) {
  const { port, authorize, root } = await sftpHost(made.app, '/bin/sleep 300')
  made.app.deps.config.fetchAllow.push(`http://127.0.0.1:${port}`)
  const { sshPublicKey } = await made.save('sftp', `127.0.0.1:${port}${root}/condo`, { user: 'root' })
  authorize(sshPublicKey ?? '')
}

test('a storage host that lets the site in and then says nothing ends a try and a backup, and no process stays [INST-27]', async () => {
  const made = await site()
  await silentHost(made)
  await expect(tryTarget(made.app.deps, made.admin, 3000)).rejects.toThrow(backupMessages.silent)
  expect(processes(made)).toEqual([])
  await expect(made.backUp()).rejects.toThrow(backupMessages.silent)
  expect(processes(made)).toEqual([])
  expect((await made.backups.get()).failed?.reason).toBe(backupMessages.silent)
})

test('the command line that is told to end takes restic and ssh with it, and the private key [INST-27]', async () => {
  const made = await site()
  await silentHost(made)
  const { child, ended } = command(made)
  await expect
    .poll(() => processes(made).some(line => line.startsWith('ssh ')), { timeout: 60_000 })
    .toBe(true)
  child.kill('SIGTERM')
  await ended
  await expect.poll(() => processes(made)).toEqual([])
  expect(leftovers(made)).toEqual([])
})

test('while one backup runs, another, a sheet and a try are refused, and the newest restores [INST-27]', async () => {
  const made = await backedUp()
  const { backUp, backups, folder, notices } = made
  addOrphans(made)
  const first = backUp()
  const refused = await Promise.allSettled([backUp(), backups.sheet(), backups.try()])
  expect(refused.map(one => one.status === 'rejected' && one.reason.message)).toEqual([
    running,
    running,
    running,
  ])
  await first
  expect((await notices()).filter(({ id }) => id === 'elsewhere-failed')).toEqual([])
  const { phrase } = await withSheet(made)
  const { code, place } = await restoreBy(made.app, [folder], [phrase])
  expect([code, readdirSync(join(place.uploadsDir, 'orphans'))]).toEqual([
    0,
    expect.objectContaining({ length: 60 }),
  ])
})

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a backup ended by %s leaves nothing decrypted, at the latest after the next one, and no broken backup [INST-27]',
  async signal => {
    const made = await backedUp()
    addOrphans(made)
    const { child, ended } = command(made)
    await isReading(made)
    child.kill(signal)
    await ended
    await expect.poll(() => processes(made)).toEqual([])
    if (signal === 'SIGKILL') {
      expect(leftovers(made)).toContain('staging')
      await made.backUp()
    }
    expect(leftovers(made)).toEqual([])
    expect(await listSnapshots(made.repository())).toHaveLength(signal === 'SIGKILL' ? 2 : 1)
  },
)

test('what restic stored of a backup that failed is forgotten [INST-27]', async () => {
  const made = await backedUp()
  addOrphans(made)
  const failing = made.backUp().catch((error: Error) => error)
  await isReading(made)
  for (const folder of [join(made.app.folder, 'restic/staging'), join(made.app.folder, 'uploads/backing-up')])
    for (let i = 40; i < 60; i += 1) rmSync(join(folder, `orphans/f${i}`), { force: true })
  expect(await failing).toBeInstanceOf(Error)
  expect(await listSnapshots(made.repository())).toHaveLength(1)
})

test('a backup that lacks its settings, its key or its manifest is refused before the database is in place [INST-25]', async () => {
  const made = await backedUp()
  const { app, folder, repository } = made
  const { phrase } = await withSheet(made)
  const [whole] = await listSnapshots(repository())
  const content = join(app.folder, 'content')
  await restic(repository(), ['restore', whole?.id ?? '', '--target', content, '--no-lock'])
  for (const lacking of ['settings.env', 'secret.key', 'manifest.json']) {
    const kept = readFileSync(join(content, lacking))
    rmSync(join(content, lacking))
    await restic(repository(), ['backup', '.', '-q', '--tag', 'condo'], { cwd: content })
    const broken = await restoreBy(app, [folder], [phrase])
    const reason = lacking === 'manifest.json' ? 'It has no manifest.' : `${lacking} is missing in it.`
    expect([broken.code, broken.lines]).toEqual([1, expect.stringContaining(reason)])
    expect(existsSync(broken.place.databaseFile)).toBe(false)
    writeFileSync(join(content, lacking), kept)
  }
  expect((await restoreBy(app, [folder, '--at', whole?.id.slice(0, 8) ?? ''], [phrase])).code).toBe(0)
})

test('a host that answers well and stores no new backup fails the run [INST-27]', async () => {
  const made = await site()
  const host = await bucketHost('AKIDEXAMPLE')
  made.app.deps.config.fetchAllow.push(host.origin)
  await made.save('s3', host.address, { user: 'AKIDEXAMPLE', secretKey: 'x' })
  await made.backups.try()
  await made.backUp()
  host.fault.at = (method, key, response) => {
    if (method !== 'PUT' || !key.includes('/snapshots/')) return false
    response.writeHead(200, { etag: '"1"' }).end()
    return true
  }
  await expect(made.backUp({ test: true })).rejects.toThrow('The backup is not among those at the target.')
  const { failed, test: tested } = await made.backups.get()
  expect([failed?.reason, tested?.fault]).toEqual([expect.stringContaining('not among'), null])
})

test('a recovery sheet whose key vanished at the target is a danger within a week [INST-21]', async () => {
  const made = await backedUp()
  const { app, backUp, backups, folder, notices, repository } = made
  await (await withSheet(made)).confirm()
  const danger = async () => (await notices()).find(({ id }) => id === 'elsewhere-sheet')
  app.advance(8 * dayMs)
  await backUp()
  expect(await danger()).toBeUndefined()
  const keys = JSON.parse((await restic(repository(), ['key', 'list', '--json', '--no-lock'])).output) as {
    id: string
    current: boolean
  }[]
  const lost = keys.find(({ current }) => !current)?.id ?? 'none'
  for (const name of readdirSync(join(folder, 'keys')))
    if (name.startsWith(lost)) rmSync(join(folder, 'keys', name))
  app.advance(8 * dayMs)
  await backUp()
  expect(await danger()).toMatchObject({ title: 'The recovery sheet no longer opens the backups elsewhere' })
  expect((await backups.get()).sheet?.confirmedAt).toBeNull()
  await (await withSheet(made)).confirm()
  expect(await danger()).toBeUndefined()
})

test('of two sheets at once one is refused, and a confirmed sheet is the only other key [INST-21]', async () => {
  const made = await backedUp()
  const { backups, repository } = made
  const both = await Promise.allSettled([backups.sheet(), backups.sheet()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await restic(repository(), ['key', 'add', '-q'], { newPassword: 'left by an older version' })
  const sheet = await withSheet(made)
  await sheet.confirm()
  const keys = JSON.parse((await restic(repository(), ['key', 'list', '--json', '--no-lock'])).output)
  expect(keys).toHaveLength(2)
  expect(await repositoryState({ ...repository(), password: sheet.phrase })).toBe('opens')
})

/** A lock of another machine whose process was killed. */
async function foreignLock({ app, folder, repository }: Site) {
  const child = spawn(
    'unshare',
    ['--uts', 'sh', '-c', 'hostname elsewhere && exec restic backup --stdin -q'],
    {
      env: {
        PATH: process.env.PATH,
        RESTIC_REPOSITORY: folder,
        RESTIC_PASSWORD: repository().password,
        HOME: app.folder,
      },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  child.stdin.write('half')
  await expect.poll(() => readdirSync(join(folder, 'locks')).length, { timeout: 20_000 }).toBe(1)
  child.kill('SIGKILL')
  await new Promise(resolve => child.once('exit', resolve))
}

test('a lock of another machine is left alone for a day, then removed and named [INST-27]', async () => {
  const made = await backedUp()
  const { app, backUp, folder, lines } = made
  await foreignLock(made)
  app.setNow(new Date(Date.now() + hourMs).toISOString())
  await backUp().catch(() => {})
  expect(readdirSync(join(folder, 'locks'))).toHaveLength(1)
  app.advance(dayMs)
  await backUp()
  expect(readdirSync(join(folder, 'locks'))).toEqual([])
  expect(lines.join('\n')).toContain('elsewhere')
})

test('a lock of another machine stops the weekly check, which is told in words, and not the test restore [INST-27, INST-28]', async () => {
  const made = await backedUp()
  const { app, backUp, backups } = made
  await foreignLock(made)
  const before = (await backups.get()).test?.at ?? ''
  app.advance(31 * dayMs)
  await expect(backUp()).rejects.toThrow(/^The machine elsewhere is using these backups\./)
  const { failed, made: last, test: tested } = await backups.get()
  expect(failed?.reason).toMatch(/^The machine elsewhere/)
  expect([last?.at, tested?.fault]).toEqual([app.deps.clock.now().toISOString(), null])
  expect(tested?.at.localeCompare(before)).toBe(1)
})

test('restic keeps no cache, and a key without end fills neither memory nor time [INST-27]', async () => {
  const made = await site()
  const host = await bucketHost('AKIDEXAMPLE')
  made.app.deps.config.fetchAllow.push(host.origin)
  await made.save('s3', host.address, { user: 'AKIDEXAMPLE', secretKey: 'x' })
  await made.backups.try()
  await made.backUp()
  expect(leftovers(made)).toEqual([])
  let sent = 0
  host.fault.at = (method, key, response) => {
    if (method !== 'GET' || !key.includes('/keys/')) return false
    const chunk = Buffer.alloc(1 << 20, 32)
    const length = { 'content-length': String(10 ** 12), 'last-modified': new Date(0).toUTCString() }
    response.writeHead(200, { etag: '"1"', ...length })
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.byteLength
      sent += chunk.byteLength
    }
    response.on('drain', more)
    more()
    return true
  }
  await expect(made.backups.try()).rejects.toThrow(/memory/)
  expect(sent).toBeLessThan(1.2e9)
})

test('an answer that is too long is refused, and never cut [INST-25]', async () => {
  const { app, repository } = await backedUp()
  const content = join(app.folder, 'content')
  mkdirSync(content)
  writeFileSync(join(content, 'large'), Buffer.alloc(5_000_000, 'x'))
  await restic(repository(), ['backup', '.', '-q', '--tag', 'large'], { cwd: content })
  await expect(restic(repository(), ['dump', 'latest', '/large', '--tag', 'large'])).rejects.toThrow(
    'too long',
  )
})

test('a backup dated ahead is named and comes last, and --at takes any [INST-25]', async () => {
  const made = await backedUp()
  const { app, folder, repository } = made
  const { phrase } = await withSheet(made)
  await restic(repository(), ['backup', '.', '-q', '--tag', 'condo', '--time', '2099-01-01 00:00:00'], {
    cwd: '/etc/apt',
  })
  const [newest, ahead] = await listSnapshots(repository())
  expect(ahead?.at.slice(0, 4)).toMatch(/2099|2098/)
  const { code, lines } = await restoreBy(app, [folder], [phrase])
  expect([code, lines]).toEqual([0, expect.stringMatching(/20(99|98)-.*dated ahead/)])
  const other = await restoreBy(app, [folder, '--at', newest?.id.slice(0, 6) ?? ''], [phrase], 'another')
  expect(other.code).toBe(0)
  const none = await restoreBy(app, [folder, '--at', 'abcdef'], [phrase], 'third')
  expect([none.code, none.lines]).toEqual([1, expect.stringContaining('There is no backup abcdef')])
})

test('an access key that may not delete is told what it has to [INST-20]', async () => {
  const made = await site()
  const host = await bucketHost('AKIDEXAMPLE')
  made.app.deps.config.fetchAllow.push(host.origin)
  await made.save('s3', host.address, { user: 'AKIDEXAMPLE', secretKey: 'x' })
  host.fault.at = (method, _key, response) => {
    if (method !== 'DELETE') return false
    response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>')
    return true
  }
  await expect(made.backups.try()).rejects.toThrow('must be allowed to delete below locks/')
  await expect(made.backUp()).rejects.toThrow('must be allowed to delete below locks/')
}, 240_000)

test('a folder with a blank, or with the name of an archive, restores with the line of the sheet [INST-21]', async () => {
  const made = await site()
  const folder = join(made.app.folder, "mnt/owner's backups.tar.gz")
  mkdirSync(folder, { recursive: true })
  await made.save('folder', folder)
  await made.backups.try()
  await made.backUp()
  const sheet = await withSheet(made)
  expect(sheet.command).toBe(`npm run cli -- restore '${folder.replace("'", `'\\''`)}'`)
  expect((await restoreBy(made.app, [folder], [sheet.phrase])).code).toBe(0)
})

test('a restore puts the right key beside another one, and a place in use is refused before anything is read [INST-25]', async () => {
  const made = await backedUp()
  const { app, folder } = made
  const { phrase } = await withSheet(made)
  const key = join(app.folder, 'elsewhere/db/secret.key')
  mkdirSync(dirname(key), { recursive: true })
  writeFileSync(key, Buffer.alloc(32, 1))
  const { code, lines, place } = await restoreBy(app, [folder], [phrase])
  expect([code, lines]).toEqual([0, expect.stringContaining('secret.key.restored')])
  expect(readFileSync(`${key}.restored`)).toEqual(readFileSync(join(app.folder, 'secret.key')))
  expect(readFileSync(key)).toEqual(Buffer.alloc(32, 1))
  const again = await restoreBy(app, [folder], [phrase])
  expect([again.code, again.lines]).toEqual([
    1,
    `${place.databaseFile} exists. A backup is restored into an empty place only; nothing was changed.`,
  ])
})

test('a stored file that was missing at the backup is told by the test restore [INST-28]', async () => {
  const made = await site()
  const { uploadsDir } = made.app.deps.config
  const [stored = ''] = readdirSync(uploadsDir).filter(name => /^[0-9a-f]{48}$/.test(name))
  rmSync(join(uploadsDir, stored))
  await made.save('folder', made.folder)
  await made.backups.try()
  await made.backUp()
  expect((await made.backups.get()).test?.fault).toBe(
    `The file ${stored} was missing when the backup was made.`,
  )
})

test('the files of former tries do not stay [INST-20]', async () => {
  const made = await site()
  await made.save('folder', made.folder)
  for (let i = 0; i < 2; i += 1) await made.backups.try()
  const { output } = await restic(made.repository(), ['snapshots', '--json', '--no-lock', '--tag', 'try'])
  expect(JSON.parse(output)).toEqual([])
})

test('a try while the clock was ahead stands in the way of no later one [INST-20]', async () => {
  const made = await site()
  await made.save('folder', made.folder)
  await made.backups.try()
  const ahead = ['--tag', 'try', '--time', '2099-01-01 00:00:00']
  await restic(made.repository(), ['backup', '.', '-q', ...ahead], { cwd: '/etc/apt' })
  await made.backups.try()
})
