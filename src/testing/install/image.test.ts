import { execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { afterThisTest } from '../cleanups.ts'
import { freePort } from '../site-process.ts'
import { baseOf, makeReleases, requirePrograms } from './machine.ts'

const work = mkdtempSync('/var/tmp/condo-test-image-')
const folder = join(work, 'release')
const buildah = (...args: string[]) =>
  execFileSync(
    'buildah',
    ['--root', join(work, 'root'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs', ...args],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  ).trim()
/** The image's files. */
let image = ''

beforeAll(() => {
  requirePrograms('debootstrap', 'systemd-nspawn', 'buildah')
  mkdirSync(folder)
  const made = process.env.CONDO_TEST_RELEASES
  if (made) cpSync(join(made, 'condo-0.2.0-linux-x64.tar.gz'), join(folder, 'condo-0.2.0-linux-x64.tar.gz'))
  else makeReleases(folder, { '0.2.0': () => {} })
  // Instead of the registry's image, which is the same system.
  const base = buildah('from', 'scratch')
  cpSync(baseOf('trixie'), buildah('mount', base), { recursive: true, verbatimSymlinks: true })
  cpSync('/etc/resolv.conf', join(buildah('mount', base), 'etc/resolv.conf'), { dereference: true })
  buildah('commit', '-q', base, 'base')
  const dockerfile = join(projectRoot, 'deploy/Dockerfile.release')
  const options = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    '--layers=false',
    '--from',
    'localhost/base',
  ]
  buildah('bud', '-q', ...options, '-f', dockerfile, '--build-arg', 'VERSION=0.2.0', '-t', 'condo', folder)
  image = buildah('mount', buildah('from', '--pull-never', 'localhost/condo'))
}, 900_000)
afterAll(() => {
  try {
    buildah('umount', '--all')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}, 60_000)

/** Runs a command of the image as its user, read-only but for its volumes. */
function container(args: string[], env: Record<string, string> = {}) {
  const volumes = ['data', 'backups'].map(name => {
    const path = join(work, name)
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
    chownSync(path, 10001, 10001)
    return `--bind=${path}:/${name}`
  })
  const variables = {
    NODE_ENV: 'production',
    ORIGIN: 'https://condo.example',
    DATABASE_FILE: '/data/db/portal.sqlite',
    UPLOADS_DIR: '/data/uploads',
    BACKUP_DIR: '/backups',
    ...env,
  }
  const set = Object.entries(variables).map(([name, value]) => `--setenv=${name}=${value}`)
  const options = [
    '-q',
    '-D',
    image,
    '--read-only',
    '--register=no',
    '--keep-unit',
    '--console=pipe',
    '--user=condo',
  ]
  return spawn('systemd-nspawn', [...options, ...volumes, ...set, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function output(child: ReturnType<typeof container>): Promise<{ code: number | null; text: string }> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (text += chunk))
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  return { code, text }
}

test('the image contains the release, does not run as root, and writes only to its volumes [INST-50]', async () => {
  expect(readFileSync(join(image, 'opt/condo/package.json'), 'utf8')).toContain('"0.2.0"')
  const port = String(await freePort())
  const site = container(['condo', 'start'], { HOST: '127.0.0.1', PORT: port })
  afterThisTest(() => void site.kill('SIGKILL'))
  let log = ''
  site.stdout?.on('data', chunk => {
    log += chunk
  })
  const ask = () => fetch(`http://127.0.0.1:${port}/api/health`).then(answer => answer.text(), String)
  await expect.poll(ask, { timeout: 60_000 }).toContain('"0.2.0"')
  // Who looks at the log can set the site up.
  expect(log).toContain('https://condo.example/install#')
  expect((await output(container(['condo', 'health'], { PORT: port }))).code).toBe(0)

  const write = 'id -u; touch /opt/condo/x; touch /etc/x; touch /data/x && echo well'
  expect((await output(container(['sh', '-c', write]))).text).toMatch(
    /^10001\n.*Read-only file system\n.*Read-only file system\nwell\n/,
  )
  const made = await output(container(['condo', 'backup']))
  expect([made.code, made.text]).toEqual([0, expect.stringContaining('Saved /backups/condo-')])
  const upgrade = await output(container(['condo', 'upgrade']))
  expect([upgrade.code, upgrade.text]).toEqual([1, expect.stringContaining('docker compose up -d')])
}, 300_000)
