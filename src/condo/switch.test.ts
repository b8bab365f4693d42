import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { bareServer, fileCommand } from '../testing/bare-server.ts'
import { testFolder } from '../testing/test-folder.ts'
import { type Answer, createMachine, type Machine, Refusal } from './machine.ts'
import { main } from './main.ts'
import { restoreOver } from './restore.ts'
import { cli, dropped, paths, releaseFolder, runningVersion, unit } from './site.ts'
import { readLastChange, recover, switchRelease } from './switch.ts'
import { writeUnits } from './units.ts'
import { rollback, upgradeTo } from './upgrade.ts'

// The owner types the site's name.
vi.mock('node:readline/promises', () => ({
  createInterface: () => ({ question: async () => 'condo.example', close: () => {} }),
}))
// As root, and under the lock.
beforeEach(() => {
  vi.stubEnv('CONDO_LOCK', 'held')
  vi.spyOn(process, 'getuid').mockReturnValue(0)
  return () => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  }
})

class PowerCut extends Error {}
const now = new Date('2026-11-03T14:03:00Z')

/**
 * A server with a site that writes a line to its database for each answered request. The second version needs another
 * schema, which the first one does not open.
 */
function server({ faulty = false, startsNot = false } = {}) {
  const root = testFolder()
  const at = (path: string) => join(root, path)
  for (const path of [
    paths.database,
    paths.journal,
    paths.held,
    paths.settings,
    `${paths.current}x`,
    `${paths.uploads}/x`,
    '/etc/systemd/system/x',
  ])
    mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(paths.settings), 'ORIGIN=https://condo.example\n')
  writeFileSync(at(paths.database), 'schema 1\n')
  writeFileSync(at(`${paths.uploads}/deed`), 'deed')
  symlinkSync(releaseFolder('1.0.0'), at(paths.current))

  for (const version of ['1.0.0', '2.0.0']) {
    const journal = at(`${releaseFolder(version)}/db/migrations/meta/_journal.json`)
    mkdirSync(dirname(journal), { recursive: true })
    writeFileSync(journal, JSON.stringify({ entries: [{ tag: version }] }))
    mkdirSync(at(`${releaseFolder(version)}/deploy/systemd`), { recursive: true })
    writeFileSync(at(`${releaseFolder(version)}/deploy/systemd/condo@.service`), version)
  }
  const site = { runs: undefined as string | undefined, isHeld: false, isQuiet: false }
  const said: string[] = []
  const entered = { after: () => {} }
  const answered: string[] = []
  let cutAt = Number.POSITIVE_INFINITY
  let calls = 0
  let lines = 0
  let restores = 0
  const database = () => readFileSync(at(paths.database), 'utf8')
  const start = () => {
    if (site.runs !== undefined) return
    const version = readlinkSync(at(paths.current)).split('/').at(-1) ?? ''
    if (!existsSync(at(paths.database)) || (version === '1.0.0' && database().includes('schema 2'))) return
    if (database().includes('schema 9')) return
    if (version === '2.0.0' && !database().includes('schema 2'))
      appendFileSync(at(paths.database), 'schema 2\n')
    site.runs = version
    site.isHeld = existsSync(at(paths.held))
  }
  const stop = () => {
    site.runs = undefined
  }
  /** A visitor whose request is answered, if the site is open. */
  const visit = () => {
    if (site.runs === undefined || site.isHeld || site.isQuiet) return
    const line = `visit ${++lines}\n`
    appendFileSync(at(paths.database), line)
    answered.push(line)
  }
  const made = createMachine({
    root,
    // Only a site that never answers is waited for in vain.
    patienceMs: faulty || startsNot ? 500 : 5000,
    say: line => said.push(line),
    before: () => {
      if (calls++ >= cutAt) throw new PowerCut()
      visit()
    },
    ask: async socket => {
      const isRight =
        site.runs !== undefined &&
        site.isHeld === socket.endsWith('.held') &&
        !(faulty && site.runs === '2.0.0')
      return { status: isRight ? 200 : 503, body: `"version":"${site.runs}"` }
    },
    spawn: (command, args, options): Answer => {
      const done = { code: 0, out: '', err: '' }
      if (command === 'setsid') {
        const [name = '', ...rest] = args.slice(dropped.length)
        const files = rest.map(arg => (arg.startsWith('/var/') ? at(arg) : arg))
        if (name === 'sh') writeFileSync(files.at(-1) ?? '', options.input ?? '')
        if (name === 'sh') return done
        return { ...done, out: fileCommand(name, files) }
      }
      if (command === 'systemctl' && args[0] === 'stop' && args[1] === unit) stop()
      if (command === 'systemctl' && args[0] === 'start') start()
      if (command === 'systemctl' && args[0] === 'restart') {
        stop()
        start()
      }
      if (command === 'systemctl' && args[0] === 'kill') site.isHeld = false
      if (command === 'systemd-run' && args.includes('entered')) {
        const former = readFileSync(at(args.at(-1) ?? ''), 'utf8')
        const rows = (database().match(/visit \d+/g) ?? []).filter(line => !former.includes(`${line}\n`))
        const out = ['kind,at,what', ...rows.map(line => `payment,,${line}`)].join('\n')
        entered.after()
        return { ...done, out }
      }
      if (command === 'systemd-run' && args.includes('restore')) {
        if (faulty) return { ...done, code: 1 }
        writeFileSync(at(paths.database), `schema ${startsNot ? 9 : 1}\nrestored ${++restores}\n`)
        writeFileSync(at(`${paths.data}/db/restored.env`), `SMTP_URL=smtps://mail.example\n`)
      }
      return done
    },
  })
  const machine: Machine = { ...made, complain: line => said.push(line) }
  writeUnits(machine, '1.0.0')
  start()
  return {
    answered,
    database,
    /** Answered writes that are neither in the database nor in one that was kept in such a folder. */
    lost: (folders: string[]) => {
      const kept = folders.map(folder => machine.read(`${folder}/portal.sqlite`) ?? '')
      return answered.filter(line => ![database(), ...kept].some(text => text.includes(line)))
    },
    leftFolders: () => globSync('left-*', { cwd: at(paths.data) }).map(name => `${paths.data}/${name}`),
    entered,
    machine,
    said,
    site,
    cutAfter: (operations: number) => {
      cutAt = calls + operations
    },
    /** The power is back: nothing runs, /run is empty, and the unit starts after `condo recover --starting`. */
    async boot() {
      cutAt = Number.POSITIVE_INFINITY
      stop()
      rmSync(at(paths.held), { force: true })
      await recover(machine, { start: false })
      start()
    },
    /** The tool was killed, and the watch comes by. */
    async watchComes() {
      cutAt = Number.POSITIVE_INFINITY
      await recover(machine)
    },
    visit,
    settings: () => readFileSync(at(paths.settings), 'utf8'),
    hasDeed: () => existsSync(at(`${paths.uploads}/deed`)),
  }
}

const restoredIn = (text: string) => /restored \d+/.exec(text)?.[0]

/** Runs `work` with a cut; whether it came to the cut. */
async function cutOff(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    if (error instanceof PowerCut) return true
    throw error
  }
}

/** Cuts off each step, side by side; `work` says whether it came to the cut. */
async function atEachStep(work: (operations: number) => Promise<boolean>): Promise<void> {
  const cuts = await Promise.all(Array.from({ length: 60 }, (_, operations) => work(operations)))
  expect(new Set(cuts)).toEqual(new Set([true, false]))
}

test('an upgrade that is cut off anywhere ends in the old or the new version, with every answered write [INST-35, INST-37]', async () => {
  const ends = new Set<string>()
  for (let operations = 0; ; operations++) {
    for (const isPower of [true, false]) {
      const { answered, boot, cutAfter, database, machine, site, visit, watchComes } = server()
      cutAfter(operations)
      const isCut = await cutOff(() => switchRelease(machine, { to: '2.0.0' }))
      await (isPower ? boot() : watchComes())
      visit()
      const version = runningVersion(machine)
      ends.add(version ?? '')
      expect({ operations, isPower, runs: site.runs, isHeld: site.isHeld }).toEqual({
        operations,
        isPower,
        runs: version,
        isHeld: false,
      })
      expect(machine.read('/etc/systemd/system/condo@.service')).toBe(version)
      expect(answered.filter(line => !database().includes(line))).toEqual([])
      expect(machine.exists(paths.journal)).toBe(false)
      if (isCut || isPower) continue
      expect([version, readLastChange(machine)?.from]).toEqual(['2.0.0', '1.0.0'])
      expect([...ends].toSorted()).toEqual(['1.0.0', '2.0.0'])
      return
    }
  }
}, 120_000)

test('any order of upgrades, going back, restores and cuts loses no answered write but what a restore replaces [INST-37, INST-43]', async () => {
  const action = fc.constantFrom('upgrade', 'back', 'restore')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(action, fc.nat(30), fc.boolean()), { minLength: 1, maxLength: 5 }),
      async steps => {
        const { answered, boot, cutAfter, database, hasDeed, machine, settings, site, visit, watchComes } =
          server()
        for (const [index, [what, operations, isPower]] of steps.entries()) {
          const before = database()
          const settingsBefore = settings()
          cutAfter(operations)
          const to = runningVersion(machine) === '1.0.0' ? '2.0.0' : '1.0.0'
          const last = readLastChange(machine)
          const canGoBack = to === '1.0.0' && last !== undefined && what === 'back'
          await cutOff(async () => {
            if (what === 'restore')
              await restoreOver(machine, 's3:x', {}, new Date(now.getTime() + index * 1000))
            else if (to === '2.0.0') await switchRelease(machine, { to })
            else if (canGoBack) await switchRelease(machine, { to, database: last.copy })
          }).catch(error => expect(error).toBeInstanceOf(Refusal))
          await (isPower ? boot() : watchComes())
          visit()
          expect(site.runs).toBe(runningVersion(machine))
          expect(site.isHeld).toBe(false)
          if (restoredIn(database()) !== restoredIn(before)) {
            expect(settings()).toContain('SMTP_URL')
            answered.splice(0)
            continue
          }
          if (what === 'restore') expect(settings()).toBe(settingsBefore)
          // What came after the copy goes with it, by the owner's word.
          if (canGoBack && site.runs === '1.0.0') answered.splice(0)
          expect(answered.filter(line => !database().includes(line))).toEqual([])
          expect(hasDeed() || database().includes('restored')).toBe(true)
        }
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)

test('a restore that was cut off and is run again at once keeps the former data, and names them [INST-37, INST-43]', async () => {
  for (const faulty of [true, false])
    await atEachStep(async operations => {
      const { cutAfter, database, lost, machine, said, site, visit } = server({ faulty })
      visit()
      cutAfter(operations)
      const isCut = await cutOff(() => restoreOver(machine, 's3:x', {}, now)).catch(() => false)
      if (!isCut) return false
      cutAfter(Number.POSITIVE_INFINITY)
      await main(['restore', 's3:x'], machine)
      const named = said.flatMap(line => line.match(/\/\S+before-restore-[\dT-]+/g) ?? [])
      expect([faulty, operations, lost(named.map(folder => `${folder}/db`))]).toEqual([
        faulty,
        operations,
        [],
      ])
      if (faulty) expect(database()).toContain('visit 1\n')
      expect([site.runs, site.isHeld, machine.exists(paths.journal)]).toEqual(['1.0.0', false, false])
      return true
    })
}, 120_000)

test('a restart after a restore that was cut off opens no half of it [INST-37, INST-43]', async () => {
  await atEachStep(async operations => {
    const { cutAfter, database, machine, site, visit } = server()
    visit()
    cutAfter(operations)
    if (!(await cutOff(() => restoreOver(machine, 's3:x', {}, now)))) return false
    cutAfter(Number.POSITIVE_INFINITY)
    const wasOpen = machine.read(paths.journal)?.includes('"in"') === true
    await main(['restart'], machine)
    expect([site.runs, site.isHeld]).toEqual(['1.0.0', false])
    expect([operations, database().includes('visit 1\n')]).toEqual([operations, !wasOpen])
    return true
  })
}, 120_000)

test('the journal of an earlier command is never replaced, and what that one left running is stopped first [INST-37]', async () => {
  const { cutAfter, machine } = server()
  cutAfter(8)
  expect(await cutOff(() => restoreOver(machine, 's3:x', {}, now))).toBe(true)
  cutAfter(Number.POSITIVE_INFINITY)
  const journal = machine.read(paths.journal)
  const later = new Date(now.getTime() + 1000)
  await expect(restoreOver(machine, 's3:x', {}, later)).rejects.toThrow('Nothing was changed.')
  await expect(switchRelease(machine, { to: '2.0.0' })).rejects.toThrow('Nothing was changed.')
  expect(machine.read(paths.journal)).toBe(journal)

  const ran: string[] = []
  const listening = { ...machine, run: (command: string, args: string[]) => machine.run(command, args) }
  listening.run = (command, args) => {
    ran.push([command, ...args].join(' '))
    return machine.run(command, args)
  }
  cli(listening, ['restore', 's3:x'])
  const [, name] = /--unit=(\S+)/.exec(ran.splice(0)[0] ?? '') ?? []
  await recover(listening)
  const [, stopped = ''] = /^systemctl stop (\S+)\*$/.exec(ran[0] ?? '') ?? []
  expect(stopped).not.toBe('')
  expect(name?.startsWith(stopped)).toBe(true)
})

test('a version that does not answer rightly is undone, and the old one runs [INST-35]', async () => {
  const { database, machine, site } = server({ faulty: true })
  const before = database()
  await expect(switchRelease(machine, { to: '2.0.0' })).rejects.toThrow(
    /^The upgrade was undone: .* Nothing was lost\.$/,
  )
  expect([site.runs, runningVersion(machine)]).toEqual(['1.0.0', '1.0.0'])
  expect(database().startsWith(before)).toBe(true)
  expect(database()).not.toContain('schema 2')
})

test('on a full disk, half a copy of the database goes before anything is written [INST-37]', async () => {
  const half = `${paths.database}.before-2.0.0.part`
  const { calls, machine, put } = bareServer(undefined, what => {
    if (what.startsWith('write ') && !calls.some(call => call.endsWith(`rm -f ${half}`)))
      throw new Error('ENOSPC: no space left on device')
  })
  put('/opt/condo/sites/x', '')
  const copy = `${paths.database}.before-2.0.0`
  const journal = { command: 'switch', step: 'stopping', from: '1.0.0', to: '2.0.0', at: '', copy }
  put(paths.journal, JSON.stringify(journal))
  await recover(machine)
  expect(machine.exists(paths.journal)).toBe(false)
})

test('a restore that fails puts the present data back [INST-43]', async () => {
  const { answered, database, hasDeed, machine, site } = server({ faulty: true })
  await expect(restoreOver(machine, 's3:x', {}, now)).rejects.toThrow('Nothing was restored.')
  expect(site.runs).toBe('1.0.0')
  expect(hasDeed()).toBe(true)
  expect(answered.filter(line => !database().includes(line))).toEqual([])
  expect(machine.run('systemctl', ['is-active', unit]).code).toBe(0)
})

test('a restored site that does not start is taken back, with its settings, before anybody got in [INST-43]', async () => {
  const { answered, database, hasDeed, machine, settings, site } = server({ startsNot: true })
  const before = settings()
  await expect(restoreOver(machine, 's3:x', {}, now)).rejects.toThrow(
    /^The restored site does not start: .* The former data are back\.$/,
  )
  expect([site.runs, site.isHeld, hasDeed(), settings()]).toEqual(['1.0.0', false, true, before])
  expect(answered.filter(line => !database().includes(line))).toEqual([])
  expect(machine.exists(paths.journal)).toBe(false)
})

/** After an upgrade to another schema, with nobody on the site since. */
async function upgraded() {
  const made = server()
  made.site.isQuiet = true
  await switchRelease(made.machine, { to: '2.0.0' })
  const visitOnce = () => {
    made.site.isQuiet = false
    made.visit()
    made.site.isQuiet = true
  }
  return { ...made, visitOnce }
}

test('going back says that nothing was entered only if that is so [INST-38]', async () => {
  const { machine, said, site } = await upgraded()
  await rollback(machine, {}, now)
  expect(said.at(-1)).toBe('✓ The site runs 1.0.0 with its database; nothing had been entered since.')
  expect(site.runs).toBe('1.0.0')
})

test('what is entered between the question and the stop keeps the newer version and is named [INST-38]', async () => {
  const { answered, database, entered, machine, site, visitOnce } = await upgraded()
  entered.after = visitOnce
  const asked = rollback(machine, {}, now)
  await expect(asked).rejects.toThrow(/, 1 payment were entered that 1\.0\.0 cannot read\./)
  expect([site.runs, runningVersion(machine)]).toEqual(['2.0.0', '2.0.0'])
  expect(database()).toContain(answered.at(-1))
  expect(machine.exists(paths.journal)).toBe(false)
})

test('going back by the owner’s word lists also what came last, and keeps it [INST-38]', async () => {
  const { answered, entered, machine, said, site, visitOnce } = await upgraded()
  visitOnce()
  // What a killed site had not moved to its database yet.
  machine.write(`${paths.database}-wal`, 'last words')
  entered.after = visitOnce
  await rollback(machine, { leaveNewer: true }, now)
  const left = `${paths.data}/left-2026-11-03T14-03-00`
  expect(said.join('\n')).toContain(`What was entered since is in ${left}`)
  expect(site.runs).toBe('1.0.0')
  expect(answered).toHaveLength(2)
  expect(machine.read(`${left}/portal.sqlite-wal`)).toBe('last words')
  for (const line of answered) {
    expect(machine.read(`${left}/portal.sqlite`)).toContain(line)
    expect(machine.read(`${left}/entered.csv`)).toContain(line.trim())
  }
})

test('going back by the owner’s word that was cut off and is run again at once loses nothing that was entered [INST-37, INST-38]', async () => {
  await atEachStep(async operations => {
    const { cutAfter, leftFolders, lost, machine, site, visitOnce } = await upgraded()
    visitOnce()
    cutAfter(operations)
    const isCut = await cutOff(() => rollback(machine, { leaveNewer: true }, now))
    if (!isCut) return false
    cutAfter(Number.POSITIVE_INFINITY)
    await main(['rollback', '--leave-newer'], machine)
    expect([operations, site.runs, lost(leftFolders())]).toEqual([operations, '1.0.0', []])
    // It clears the copies of the database that nobody needs any more.
    await upgradeTo(machine, '2.0.0', {})
    expect([operations, site.runs, lost(leftFolders())]).toEqual([operations, '2.0.0', []])
    return true
  })
}, 120_000)
