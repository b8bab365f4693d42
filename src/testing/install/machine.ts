import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../../db/project-root.ts'
import { createDisk } from './disk.ts'

/**
 * Bare Debian and Ubuntu machines with real systemd, without a VM: debootstrap makes a base system of each release once, and
 * systemd-nspawn boots an overlay of it, without a network but to this machine.
 */
export const suites = ['bookworm', 'trixie', 'noble'] as const
export type Suite = (typeof suites)[number]

const bases = process.env.CONDO_TEST_BASES ?? '/var/tmp/condo-test-bases'
const inBase = 'systemd,systemd-sysv,dbus,ca-certificates,curl,openssh-client,iproute2,procps,openssl'
/** Downloaded, but not installed: a bare machine has them at its mirror. */
const atHand = ['caddy', 'restic', 'libatomic1', 'unattended-upgrades', 'systemd-timesyncd', 'pebble']

/** @throws with the names of what this machine lacks */
export function requirePrograms(...names: string[]): void {
  if (process.getuid?.() !== 0)
    throw new Error('This test boots machines and mounts disks, so it needs root.')
  const lacking = names.filter(name => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  if (lacking.length > 0)
    throw new Error(
      `This test needs ${lacking.join(', ')}: apt install debootstrap systemd-container e2fsprogs iproute2`,
    )
}

/** The base system of a suite, made once and kept. */
export function baseOf(suite: Suite): string {
  const folder = join(bases, suite)
  if (existsSync(join(folder, 'ready'))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(bases, { recursive: true })
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' })
  run(
    'debootstrap',
    '--variant=minbase',
    `--include=${inBase}`,
    ...(suite === 'noble' ? ubuntu(folder) : [suite, folder]),
  )
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

/** Debian has neither a script of this name nor, by itself, Ubuntu's keys. */
function ubuntu(folder: string): string[] {
  const keys = '/usr/share/keyrings/ubuntu-archive-keyring.gpg'
  if (!existsSync(keys))
    console.warn(
      `The base system of Ubuntu is not verified: ${keys} is missing; it is in Ubuntu’s package ubuntu-keyring.`,
    )
  const source = ['noble', folder, 'http://archive.ubuntu.com/ubuntu', '/usr/share/debootstrap/scripts/gutsy']
  const verified = existsSync(keys) ? `--keyring=${keys}` : '--no-check-gpg'
  return [verified, '--components=main,universe', ...source]
}

export type Shell = { code: number; out: string }

const group = 'condo-test'

/** Runs a command with what the smallest server has, 1 core and 1 GB of memory for all of them together. */
function limited(command: string[]): string[] {
  if (!existsSync('/sys/fs/cgroup/memory')) {
    spawnSync('systemctl', ['set-property', '--runtime', `${group}.slice`, 'MemoryMax=1G', 'AllowedCPUs=0'])
    return ['systemd-run', '--scope', '-q', `--slice=${group}.slice`, ...command]
  }
  const set = (controller: string, name: string, value: string) => {
    mkdirSync(`/sys/fs/cgroup/${controller}/${group}`, { recursive: true })
    writeFileSync(`/sys/fs/cgroup/${controller}/${group}/${name}`, value)
  }
  set('memory', 'memory.limit_in_bytes', '1G')
  set('cpuset', 'cpuset.mems', '0')
  set('cpuset', 'cpuset.cpus', '0')
  const enter = ['memory', 'cpuset'].map(name => `echo $$ > /sys/fs/cgroup/${name}/${group}/cgroup.procs`)
  return ['sh', '-c', `${enter.join(' && ')} && exec "$@"`, '-', ...command]
}

const bridge = 'condo-test'
/** This machine, as seen by the machines of a test. */
export const hostAddress = '10.77.0.1'
let machines = 1

/**
 * Boots a bare machine with 1 core and 1 GB of memory, on a disk of its own; `shared` is its folder /shared. Its only network is a
 * bridge to this machine.
 */
export async function bootMachine(suite: Suite, shared: string) {
  const base = baseOf(suite)
  const disk = createDisk(6)
  const root = mkdtempSync('/var/tmp/condo-test-machine-')
  const address = `10.77.0.${++machines}`
  const at = (name: string) => join(disk.folder, name)
  for (const name of ['upper', 'work']) mkdirSync(at(name))
  const overlay = `lowerdir=${base},upperdir=${at('upper')},workdir=${at('work')}`
  const mount = () => execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', overlay, root])
  mount()
  spawnSync('ip', ['link', 'add', bridge, 'type', 'bridge'])
  spawnSync('ip', ['address', 'add', `${hostAddress}/24`, 'dev', bridge])
  execFileSync('ip', ['link', 'set', bridge, 'up'])
  let leader = ''
  const nspawn = [
    ...['systemd-nspawn', '-q', '-D', root, '--register=no', '--keep-unit', '--boot', '--console=pipe'],
    ...[`--network-bridge=${bridge}`, `--machine=condo-test-${machines}`, `--bind=${shared}:/shared`],
  ]
  const boot = async () => {
    const [command = '', ...args] = limited(nspawn)
    const process = spawn(command, args, { detached: true, stdio: 'ignore' })
    for (let tries = 0; tries < 300; tries++) {
      await sleep(100)
      leader =
        spawnSync('pgrep', ['-P', String(process.pid)], { encoding: 'utf8' }).stdout.split('\n')[0] ?? ''
      if (leader === '' || !/running|degraded/.test(sh('systemctl is-system-running').out)) continue
      sh(`ip address add ${address}/24 dev host0; ip link set host0 up`)
      return process
    }
    throw new Error(`The machine ${suite} did not boot.`)
  }
  const commandOf = (script: string): [string, string[]] => {
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    const inside = ['nsenter', '-t', leader, '-a', 'env', '-i', path, 'HOME=/root', 'sh', '-c']
    const [command = '', ...args] = limited([...inside, `exec 2>&1; ${script}`])
    return [command, args]
  }
  const sh = (script: string, input = ''): Shell => {
    const options = { encoding: 'utf8', input, maxBuffer: 1e8 } as const
    const { status, stdout } = spawnSync(...commandOf(script), options)
    return { code: status ?? -1, out: stdout }
  }
  let running: ChildProcess | undefined = await boot()
  const off = async () => {
    spawnSync('kill', ['-9', leader, String(running?.pid)])
    running = undefined
    await sleep(500)
    execFileSync('umount', [root])
  }
  return {
    address,
    sh,
    /** The same while this process goes on answering the machine. */
    async shAsync(script: string, input = ''): Promise<Shell> {
      const child = spawn(...commandOf(script), { stdio: ['pipe', 'pipe', 'ignore'] })
      const ended = once(child, 'close')
      child.stdin.end(input)
      const out = await text(child.stdout)
      const [code] = await ended
      return { code, out }
    },
    /** What was not synced is lost. */
    async cutPower() {
      disk.cutPower()
      await off()
      disk.mountAgain()
      mount()
      running = await boot()
    },
    async stop() {
      if (!running) return
      await off()
      disk.remove()
      rmSync(root, { recursive: true })
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
