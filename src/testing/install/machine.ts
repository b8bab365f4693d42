import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../../db/project-root.ts'

/**
 * Bare Debian machines with real systemd, without a VM: debootstrap makes a base system of each release once, and
 * systemd-nspawn boots an overlay of it, without a network.
 */
export const suites = ['bookworm', 'trixie'] as const
export type Suite = (typeof suites)[number]

const bases = process.env.CONDO_TEST_BASES ?? '/var/tmp/condo-test-bases'
const inBase = 'systemd,systemd-sysv,dbus,ca-certificates,curl,openssh-client,iproute2,procps,openssl'
/** Downloaded, but not installed: a bare machine has them at its mirror. */
const atHand = ['caddy', 'restic', 'libatomic1', 'unattended-upgrades', 'systemd-timesyncd', 'pebble']

/** @throws with the names of what the machine lacks */
export function requirePrograms(): void {
  const lacking = ['debootstrap', 'systemd-nspawn', 'nsenter', 'ssh-keygen'].filter(
    name => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  )
  if (lacking.length > 0)
    throw new Error(`This test needs ${lacking.join(', ')}: apt install debootstrap systemd-container`)
  if (process.getuid?.() !== 0) throw new Error('This test boots machines, so it needs root.')
}

/** The base system of a suite, made once and kept. */
function baseOf(suite: Suite): string {
  const folder = join(bases, suite)
  if (existsSync(join(folder, 'ready'))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(bases, { recursive: true })
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' })
  run('debootstrap', '--variant=minbase', `--include=${inBase}`, suite, folder)
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'), { dereference: true })
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n127.0.0.1 condo.example\n')
  writeFileSync(
    join(folder, 'etc/apt/apt.conf.d/99keep'),
    'Binary::apt::APT::Keep-Downloaded-Packages "1";\nAcquire::Retries "0";\n',
  )
  run('chroot', folder, 'apt-get', 'update', '-q')
  run('chroot', folder, 'apt-get', 'install', '-y', '--no-install-recommends', '--download-only', ...atHand)
  // Without a network apt would wait for its mirror.
  writeFileSync(join(folder, 'etc/resolv.conf'), '')
  writeFileSync(join(folder, 'ready'), '')
  return folder
}

export type Shell = { code: number; out: string }

/** Boots a bare machine; `shared` is its folder /shared. */
export async function bootMachine(suite: Suite, shared: string) {
  const base = baseOf(suite)
  const work = mkdtempSync('/var/tmp/condo-test-machine-')
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(work, name))
  const root = join(work, 'root')
  const overlay = `lowerdir=${base},upperdir=${join(work, 'upper')},workdir=${join(work, 'work')}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', overlay, root])
  let leader = ''
  const nspawn = [
    '-q',
    '-D',
    root,
    '--register=no',
    '--keep-unit',
    '--boot',
    '--console=pipe',
    '--private-network',
  ]
  const boot = async () => {
    const process = spawn('systemd-nspawn', [...nspawn, `--bind=${shared}:/shared`], {
      detached: true,
      stdio: 'ignore',
    })
    for (let tries = 0; tries < 300; tries++) {
      await sleep(100)
      leader =
        spawnSync('pgrep', ['-P', String(process.pid)], { encoding: 'utf8' }).stdout.split('\n')[0] ?? ''
      if (leader !== '' && /running|degraded/.test(sh('systemctl is-system-running').out)) return process
    }
    throw new Error(`The machine ${suite} did not boot.`)
  }
  const sh = (script: string, input = ''): Shell => {
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    const inside = ['-t', leader, '-a', 'env', '-i', path, 'HOME=/root', 'sh', '-c', `exec 2>&1; ${script}`]
    const { status, stdout } = spawnSync('nsenter', inside, { encoding: 'utf8', input, maxBuffer: 1e8 })
    return { code: status ?? -1, out: stdout }
  }
  let running = await boot()
  const kill = () => {
    spawnSync('kill', ['-9', leader, String(running.pid)])
  }
  return {
    sh,
    /** Power off at once, and on again. */
    async cutPower() {
      kill()
      await sleep(500)
      running = await boot()
    },
    async stop() {
      kill()
      await sleep(500)
      spawnSync('umount', [root])
      rmSync(work, { recursive: true, force: true })
    },
  }
}
export type TestMachine = Awaited<ReturnType<typeof bootMachine>>

/** A folder with signed releases of the last commit, each with another version, and what each changes. */
export function makeReleases(folder: string, versions: Record<string, (clone: string) => void>): void {
  const run = (command: string, args: string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], encoding: 'utf8' })
  const keys = mkdtempSync('/var/tmp/condo-test-keys-')
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'key')], keys)
  const signers = join(keys, 'signers')
  const [kind, key] = execFileSync('cat', [join(keys, 'key.pub')], { encoding: 'utf8' }).split(' ')
  writeFileSync(signers, `condo-release ${kind} ${key}\n`)
  try {
    for (const [version, change] of Object.entries(versions)) {
      const clone = join(keys, version)
      run('git', ['clone', '-q', projectRoot, clone], keys)
      run('ln', ['-s', join(projectRoot, 'node_modules'), 'node_modules'], clone)
      run('sed', ['-i', `s/^  "version": ".*"/  "version": "${version}"/`, 'package.json'], clone)
      change(clone)
      const author = ['-c', 'user.name=Test', '-c', 'user.email=test@condo.example']
      run('git', ['add', '-A'], clone)
      run('git', [...author, 'commit', '-q', '-m', version], clone)
      const options = ['--arch', 'x64', '--releases', 'https://releases.example', '--signers', signers]
      run(process.execPath, ['scripts/release.mjs', folder, ...options], clone)
      const described = `condo-${version}.release`
      run(
        'ssh-keygen',
        ['-q', '-Y', 'sign', '-f', join(keys, 'key'), '-n', 'condo-release', described],
        folder,
      )
      cpSync(join(folder, `${described}.sig`), join(folder, 'latest.release.sig'))
    }
  } finally {
    rmSync(keys, { recursive: true, force: true })
  }
}

/** Adds a migration, so that older versions refuse the database. */
export function addMigration(clone: string): void {
  const run = (...args: string[]) =>
    execFileSync('npx', ['drizzle-kit', ...args], { cwd: clone, stdio: 'ignore' })
  run('generate', '--custom', '--name', 'trial')
  const [file = ''] = execFileSync('sh', ['-c', 'ls db/migrations/*_trial.sql'], {
    cwd: clone,
    encoding: 'utf8',
  }).split('\n')
  appendFileSync(join(clone, file), 'CREATE TABLE trial_only (id integer PRIMARY KEY);\n')
}
