import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { bareServer, fileCommand } from '../testing/bare-server.ts'
import { testFolder } from '../testing/test-folder.ts'
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

/** A server whose site does not answer, and the commands that root runs there. */
function server() {
  const root = testFolder()
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
  const work = testFolder()
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

class Cut extends Error {}
const formerFolder = '/var/lib/condo'
const formerUnit = '/etc/systemd/system/condo.service'

/**
 * A machine with Caddy, and a site from a checkout whose schema is 1. A release of schema 2 is put on it, which the former
 * version does not open.
 */
function machineWith({ checkout }: { checkout: boolean }) {
  const state = {
    runs: checkout ? 'former' : '',
    enabled: new Set(checkout ? ['former'] : []),
    owner: 'condo',
    served: '',
    mounted: '',
    /** The command or change of a file that goes wrong. */
    fault: undefined as RegExp | undefined,
    startsNot: '',
    cutAt: Number.POSITIVE_INFINITY,
    steps: 0,
  }
  const start = (version: string) => {
    if (state.startsNot === version) return
    const database = version === 'former' ? `${formerFolder}/db/portal.sqlite` : paths.database
    const text = made.machine.read(database) ?? ''
    if (version === 'former' && (state.owner !== 'condo' || !/^schema 1\n$/.test(text))) return
    if (version === 'new') made.put(database, `${text.replace('schema 2\n', '')}schema 2\n`)
    state.runs = version
  }
  const answer = (line: string) => {
    if (state.fault?.test(line)) return { code: 1, err: 'refused' }
    const [command, ...args] = line.split(' ')
    if (command === 'setsid') {
      const [name = '', ...rest] = args.slice(dropped.length)
      if (name === 'mv' && rest.at(-1) === paths.database) expect(state.runs).toBe('')
      fileCommand(
        name,
        rest.map(arg => (arg.startsWith('/var/') ? join(made.root, arg) : arg)),
      )
    }
    if (command === 'mountpoint') return { code: args[1] === state.mounted ? 0 : 1 }
    if (command === 'chown' && args[0] === '-Rh') state.owner = args[1]?.split(':')[0] ?? ''
    if (line === '/usr/local/bin/condo-cli backup' && state.owner !== 'condo')
      return { code: 1, err: 'EACCES' }
    if (line.includes('find ') && made.machine.exists('/var/backups/condo/condo-1.tar.gz'))
      made.machine.rename('/var/backups/condo/condo-1.tar.gz', `${paths.backups}/condo-1.tar.gz`)
    if (command === 'curl') return { code: state.runs === 'former' ? 0 : 7 }
    if (line === 'systemctl restart caddy') state.served = made.read(paths.caddyfile)
    if (line.startsWith('systemctl stop condo@')) state.runs = ''
    const [, what, unit] = /^systemctl (enable|disable) --now (condo(?:@\S+)?)/.exec(line) ?? []
    const version = unit === 'condo' ? 'former' : 'new'
    if (what === 'disable' && state.runs === version) state.runs = ''
    if (what === 'disable') state.enabled.delete(version)
    if (what === 'enable') state.enabled.add(version)
    if (what === 'enable') start(version)
    made.site.status = state.runs === 'new' ? 200 : 0
    return undefined
  }
  const made = bareServer(answer, what => {
    if (what.startsWith('rename ') && state.fault?.test(what)) throw new Error('EBUSY')
    if (state.steps++ >= state.cutAt) throw new Cut()
  })
  const { machine, put, root } = made
  for (const folder of [formerFolder, '/etc/condo']) rmSync(join(root, folder), { recursive: true })
  for (const folder of ['/usr/local/sbin/x', `${releaseFolder('2.0.0')}/deploy/x`, '/var/backups/x'])
    mkdirSync(dirname(join(root, folder)), { recursive: true })
  put(`${releaseFolder('2.0.0')}/deploy/site.caddy`, 'DOMAIN {\n}\n')
  const caddyfile = checkout ? '{$SITE_DOMAIN} {\n}\n' : ':80 {\n}\n'
  put(paths.caddyfile, caddyfile)
  state.served = caddyfile
  if (checkout) {
    put('/opt/condo/deploy/Caddyfile', caddyfile)
    put('/etc/condo/env', 'ORIGIN=https://condo.example\nCOMPANY_NAME=Dune\n')
    put(formerUnit, '')
    put(`${formerFolder}/db/portal.sqlite`, 'schema 1\n')
    put(`${formerFolder}/uploads/deed`, 'deed')
    put('/var/backups/condo/condo-1.tar.gz', '')
  }
  machine.makeFolder('/var/lib')
  return {
    ...made,
    state,
    install: () => install(machine, '2.0.0', 'condo.example', {}),
    boot() {
      state.runs = ''
      state.served = made.read(paths.caddyfile)
      for (const version of state.enabled) start(version)
      made.site.status = state.runs === 'new' ? 200 : 0
    },
    /** What is not as it should be after an installation. */
    faults: () =>
      [
        state.runs === 'new' || `${state.runs || 'nothing'} runs`,
        state.served.includes('import ') || 'Caddy does not serve it',
        !checkout || !machine.exists(formerUnit) || 'the former unit is there',
        !checkout || !machine.exists('/etc/condo/env') || 'the former settings are there',
        !checkout || machine.read(`${paths.uploads}/deed`) === 'deed' || 'the files are lost',
        !checkout || machine.read(paths.database) === 'schema 1\nschema 2\n' || 'the data are lost',
        !checkout || machine.exists(`${paths.backups}/condo-1.tar.gz`) || 'the backups are lost',
        !checkout || made.read(paths.settings).includes('COMPANY_NAME=Dune') || 'the settings are lost',
      ].filter(fault => fault !== true),
  }
}

test('a take-over that fails after the new version has changed the database leaves the former site running [INST-12]', async () => {
  const { install, machine, said, state } = machineWith({ checkout: true })
  state.fault = /^caddy validate/
  await expect(install()).rejects.toThrow('Caddy does not take its settings')
  expect([state.runs, said.at(-1)]).toEqual(['former', 'The site from the checkout runs again.'])
  expect(machine.read(`${formerFolder}/uploads/deed`)).toBe('deed')
})

test('that the former site runs again is said only if it answers [INST-12]', async () => {
  const { install, said, state } = machineWith({ checkout: true })
  Object.assign(state, { fault: /^caddy validate/, startsNot: 'former' })
  await expect(install()).rejects.toThrow('Caddy does not take its settings')
  expect(said.at(-1)).toBe(
    'The site from the checkout does not answer. Its log: journalctl -u condo -n 20. Its data are in /var/lib/condo, and a backup of them in /var/backups/condo.',
  )
})

test('data on a disk of their own are refused before the site stops, and whatever fails after that starts it again [INST-12]', async () => {
  for (const mounted of [formerFolder, `${formerFolder}/uploads`]) {
    const { calls, install, state } = machineWith({ checkout: true })
    state.mounted = mounted
    await expect(install()).rejects.toThrow(`${mounted} is a disk of its own`)
    expect([state.runs, calls.filter(call => call.startsWith('systemctl disable'))]).toEqual(['former', []])
  }
  const { install, machine, state } = machineWith({ checkout: true })
  state.fault = /^rename \/var\/lib\/condo \//
  await expect(install()).rejects.toThrow('EBUSY')
  expect([state.runs, [...state.enabled]]).toEqual(['former', ['former']])
  expect(machine.read(`${formerFolder}/uploads/deed`)).toBe('deed')
})

test('an installation or take-over that was cut off anywhere is completed by the same command [INST-11, INST-12]', async () => {
  for (const checkout of [true, false])
    for (const fault of [undefined, /^caddy validate/])
      for (const boots of [true, false])
        for (let step = 0; ; step++) {
          const { boot, faults, install, state } = machineWith({ checkout })
          Object.assign(state, { fault, cutAt: step })
          const error = await install().catch((error: unknown) => error)
          if (state.steps <= step) {
            expect(step).toBeGreaterThan(20)
            break
          }
          expect(error).toBeInstanceOf(Error)
          Object.assign(state, { fault: undefined, cutAt: Number.POSITIVE_INFINITY })
          if (boots) boot()
          const again = await install().catch((error: Error) => error.message)
          expect([checkout, fault, boots, step, again, faults()]).toEqual([
            checkout,
            fault,
            boots,
            step,
            undefined,
            [],
          ])
        }
}, 120_000)

test('the command on a site that is down undoes no take-over that was finished, or that visitors had reached [INST-11, INST-12]', async () => {
  for (const isFinished of [true, false]) {
    const { faults, install, machine, put, read, said, site, state } = machineWith({ checkout: true })
    if (!isFinished) state.fault = /^sh -c find/
    await install().catch(error => expect(error.message).toBe('refused'))
    expect(state.served).toContain('import ')
    put(paths.caddyfile, `${read(paths.caddyfile)}:8099 {\n}\n`)
    put(paths.database, 'schema 1\nentered\nschema 2\n')
    Object.assign(state, { runs: '', fault: undefined, startsNot: 'new' })
    site.status = 0
    await expect(install()).rejects.toThrow('The site does not start.')
    expect(machine.read(paths.database)).toBe('schema 1\nentered\nschema 2\n')
    expect(said).not.toContain('The site from the checkout runs again.')
    state.startsNot = ''
    await install()
    expect(faults()).toEqual(['the data are lost'])
    expect(read(paths.caddyfile)).toContain(':8099')
  }
})

test('a former site with folders elsewhere is not taken over, whichever they are [INST-12]', async () => {
  for (const [key, value] of Object.entries({
    DATABASE_FILE: '/srv/portal.sqlite',
    UPLOADS_DIR: '"/srv/uploads"',
    BACKUP_DIR: '/mnt/backups',
  })) {
    const { install, put, state } = machineWith({ checkout: true })
    put('/etc/condo/env', `ORIGIN=https://condo.example\n${key}=${value}\n`)
    await expect(install()).rejects.toThrow(`/etc/condo/env sets ${key}.`)
    expect(state.runs).toBe('former')
  }
  const { faults, install, put } = machineWith({ checkout: true })
  put('/etc/condo/env', 'ORIGIN=https://condo.example\nCOMPANY_NAME=Dune\nBACKUP_DIR=/var/backups/condo\n')
  await install()
  expect(faults()).toEqual([])
})
