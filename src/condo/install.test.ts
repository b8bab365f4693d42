import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { bareServer } from '../testing/bare-server.ts'
import { createMachine } from './machine.ts'
import { restoreFrom } from './restore.ts'
import { dropped, paths, releaseFolder } from './site.ts'
import { fullInDays } from './watch.ts'

const records = vi.hoisted(() => ({ four: [] as string[], six: [] as string[] }))
// Another file of this worker may have loaded it with the real one.
vi.resetModules()
const { addressAdvice, install } = await import('./install.ts')
// The far end: what the domain's name server answers.
vi.mock('node:dns/promises', () => ({
  resolve4: async () => records.four,
  resolve6: async () => records.six,
}))

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A server whose site does not answer, and the commands that root runs there. */
function server() {
  const root = mkdtempSync(join(tmpdir(), 'condo-install-'))
  folders.push(root)
  const at = (path: string) => join(root, path)
  const asRoot: string[] = []
  const inCli: string[] = []
  const machine = createMachine({
    root,
    patienceMs: 50,
    say: () => {},
    ask: async () => ({ status: 0, body: '' }),
    spawn: (command, args) => {
      const [name, ...rest] = args.slice(dropped.length)
      if (command === 'systemd-run') inCli.push(args.slice(args.indexOf('dist/server/cli.js') + 1).join(' '))
      else if (command !== 'setsid') asRoot.push([command, ...args].join(' '))
      else if (name === 'mkdir') mkdirSync(at(rest.at(-1) ?? ''), { recursive: true, mode: 0o700 })
      return { code: 0, out: '', err: '' }
    },
  })
  return { asRoot, at, inCli, machine }
}

/** A server where `install` came to its end once. */
function installed() {
  const made = server()
  for (const path of [
    paths.current,
    paths.settings,
    '/usr/local/sbin/condo',
    '/etc/systemd/system/x',
    '/etc/cron.d/x',
  ])
    mkdirSync(dirname(made.at(path)), { recursive: true })
  for (const folder of [paths.data, paths.backups, paths.cache, releaseFolder('1.0.0')])
    mkdirSync(made.at(folder), { recursive: true })
  symlinkSync(releaseFolder('1.0.0'), made.at(paths.current))
  chmodSync(made.at('/etc/cron.d'), 0o755)
  return made
}

test('a repeated installation gives no folder away to which the site put a link [INST-08, INST-11]', async () => {
  for (const link of [paths.uploads, dirname(paths.database)]) {
    const { asRoot, at, machine } = installed()
    symlinkSync(at('/etc/cron.d'), at(link))
    await expect(install(machine, '1.0.0', 'condo.example', {})).rejects.toThrow('The site does not start.')
    expect(statSync(at('/etc/cron.d')).mode & 0o777).toBe(0o755)
    expect(asRoot.filter(line => line.startsWith('chown'))).toEqual(
      [paths.data, paths.backups, paths.cache].map(folder => `chown -h condo-site:condo-site ${folder}`),
    )
  }
})

test('a link in place of a folder that the site is given is refused [INST-08]', async () => {
  for (const folder of [paths.data, paths.backups, paths.cache]) {
    const { asRoot, at, machine } = installed()
    rmSync(at(folder), { recursive: true })
    symlinkSync(at('/etc/cron.d'), at(folder))
    await expect(install(machine, '1.0.0', 'condo.example', {})).rejects.toThrow(`${folder} is a link`)
    expect(statSync(at('/etc/cron.d')).mode & 0o777).toBe(0o755)
    expect(asRoot.filter(line => line.startsWith(`chown`) && line.endsWith(folder))).toEqual([])
  }
})

test('an archive in a folder of the site is read as the site: a link there could lead to a secret of root [INST-08, INST-43]', async () => {
  const { asRoot, at, inCli, machine } = installed()
  for (const file of [
    `${paths.backups}/one.tar.gz`,
    `${paths.data}/../site/one.tar.gz`,
    '/etc/cron.d/one.tar.gz',
  ]) {
    writeFileSync(at(file), '')
    await restoreFrom(machine, file, {})
  }
  expect(inCli).toEqual([
    `restore ${paths.backups}/one.tar.gz`,
    `restore ${paths.data}/one.tar.gz`,
    `restore ${paths.cache}/restore.tar.gz`,
  ])
  expect(asRoot.filter(line => line.includes('one.tar.gz'))).toEqual([
    expect.stringContaining('/etc/cron.d/one.tar.gz'),
  ])
})

test('a signed description of another release than the one that was asked for is refused [INST-04]', () => {
  const work = mkdtempSync(join(tmpdir(), 'condo-fetch-'))
  folders.push(work)
  const script = readFileSync(join(projectRoot, 'deploy/install.sh'), 'utf8').replace(/^main "\$@"$/m, '')
  // Signed and at hand.
  const given = `step() { shift; "$@"; }; described() { :; }; signed() { :; }; ARCH=x64 THAN=0.2.0 WORK=${work}`
  const fetch = (described: string) => {
    writeFileSync(join(work, described), 'version 0.3.0\nupgrades-from 0.1.0\n')
    return spawnSync('sh', ['-c', `${script}\n${given}\nfetch ${described}`], { encoding: 'utf8' }).stderr
  }
  expect(fetch('condo-0.4.0.release')).toBe(
    'condo-0.4.0.release describes release 0.3.0. Nothing was changed.\n',
  )
  for (const described of ['condo-0.3.0.release', 'latest.release'])
    expect(fetch(described)).toBe('There is no release 0.3.0 for x64.\n')
})

test('a domain that leads elsewhere is said, with the record to set; an IPv6 record too [INST-10]', async () => {
  const mine = { four: ['203.0.113.7'], six: ['2001:db8::7'] }
  const advice = (four: string[], six: string[] = [], own = mine) => {
    Object.assign(records, { four, six })
    return addressAdvice('condo.example', own)
  }
  expect(await advice(['203.0.113.7'], ['2001:db8::7'])).toEqual([])
  expect(await advice([])).toEqual([
    'condo.example has no address yet. Set its A record to 203.0.113.7; the certificate comes by itself within minutes.',
  ])
  expect(await advice(['198.51.100.9'], ['2001:db8::9'])).toEqual([
    'condo.example points to 198.51.100.9, this machine is 203.0.113.7. Set its A record to 203.0.113.7; the certificate comes by itself within minutes.',
    'Its AAAA record points to 2001:db8::9, which is not this machine: change it or take it out.',
  ])
  expect(await advice(['198.51.100.9'], [], { four: ['10.0.0.5'], six: [] })).toEqual([])
})

test('a disk that fills up is told in days [INST-46]', () => {
  expect(fullInDays([['2026-11-01', 10_000]])).toBeNull()
  expect(
    fullInDays([
      ['2026-11-01', 10_000],
      ['2026-11-11', 11_000],
    ]),
  ).toBeNull()
  expect(
    fullInDays([
      ['2026-11-01', 10_000],
      ['2026-11-11', 8000],
    ]),
  ).toBe(40)
})

const restores = (calls: string[]) => calls.filter(call => call.includes(' restore s3:')).length

test('an installation that was cut off after its restore goes on without another one [INST-11, INST-41]', async () => {
  const options = { restore: 's3:https://s3.example.com/b', user: 'A' }
  const { calls, machine, put, site } = bareServer(line => {
    if (line.includes(' restore s3:')) put(paths.database, 'restored')
    // The power goes.
    return line.startsWith('systemctl enable --now condo@') && restores(calls) > 0 && site.status === 503
      ? { code: 1, err: 'cut' }
      : undefined
  })
  put('/usr/local/sbin/x', '')
  put(`${releaseFolder('1.0.0')}/deploy/site.caddy`, 'DOMAIN {\n}\n')
  site.status = 503
  await expect(install(machine, '1.0.0', 'condo.example', options)).rejects.toThrow('cut')
  expect(restores(calls)).toBe(1)
  site.status = 200
  await install(machine, '1.0.0', 'condo.example', options)
  expect(restores(calls)).toBe(1)
})
