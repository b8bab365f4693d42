import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { productionEnv } from '../production-env.ts'
import { freePort } from '../site-process.ts'

const work = mkdtempSync(join(tmpdir(), 'condo-release-test-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))
const run = (command: string, args: string[], cwd = work) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

const signers = join(work, 'signers')
writeFileSync(
  signers,
  'condo-release ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHlru/3clPQJSIBxHZpw8ryNKw6SoGA78Gf/C5BRGPUF\n',
)
const published = ['--releases', 'https://releases.example', '--signers', signers]

/** A clone of the last commit of `from`, in a folder of its own, and the release made there. */
function release(name: string, from: string, ...args: string[]) {
  const clone = join(work, name)
  run('git', ['clone', '-q', from, clone])
  run('ln', ['-s', join(projectRoot, 'node_modules'), join(clone, 'node_modules')])
  const out = join(work, `${name}-out`)
  run(process.execPath, ['scripts/release.mjs', out, ...published, ...args], clone)
  return { clone, out, path: (file: string) => join(out, file) }
}

const elfMachines: Record<number, string> = { 62: 'x64', 183: 'arm64' }
const isElf = (bytes: Buffer) => bytes.subarray(0, 4).toString('latin1') === '\x7fELF'

test('a release has what runs and nothing else, the same bytes in another folder, and starts alone [INST-01, INST-02, INST-03]', async () => {
  const one = release('one', projectRoot, '--arch', 'x64', '--arch', 'arm64')
  const other = release('other-folder', one.clone, '--arch', 'x64')
  const described = readFileSync(one.path('latest.release'), 'utf8')
  expect(described).toMatch(
    /^version (\S+)\ndate \d{4}-\d\d-\d\d\nsecurity no\nupgrades-from \S+\nmigration \d{4}_\w+\n/,
  )
  const archives = [...described.matchAll(/^archive (\S+) (\S+) (\d+) ([0-9a-f]{64})$/gm)]
  expect(archives.map(([, arch]) => arch)).toEqual(['x64', 'arm64'])
  for (const [, arch = '', file = '', bytes, hash] of archives) {
    expect([statSync(one.path(file)).size, sha256(one.path(file))]).toEqual([Number(bytes), hash])
    expect(Number(bytes)).toBeLessThan(85e6)
    const folder = join(work, `unpacked-${arch}`)
    run('mkdir', [folder])
    run('tar', ['xzf', one.path(file), '--strip-components=1', '-C', folder])
    run('sha256sum', ['-c', '--quiet', 'MANIFEST.sha256'], folder)
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      statSync(join(folder, name)).isFile(),
    )
    expect(
      names.filter(name =>
        /\.(map|ts|tsx|test\.\w+|spec\.\w+)$|compile-cache|\/(vitest|typescript|vite)\//.test(name),
      ),
    ).toEqual([])
    expect(names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(220e6)
    const binaries = names.flatMap(name => {
      const head = readFileSync(join(folder, name)).subarray(0, 20)
      return isElf(head) ? [elfMachines[head.readUInt16LE(18)]] : []
    })
    expect(binaries.length).toBeGreaterThanOrEqual(5)
    expect(new Set(binaries)).toEqual(new Set([arch]))
    const listed = run('tar', ['tzvf', one.path(file), '--numeric-owner'])
    expect(
      new Set(
        listed
          .split('\n')
          .filter(Boolean)
          .map(line => line.split(/\s+/)[1]),
      ),
    ).toEqual(new Set(['0/0']))
  }
  const x64 = archives[0]?.[2] ?? ''
  expect(sha256(other.path(x64))).toBe(sha256(one.path(x64)))
  await startsAlone(join(work, 'unpacked-x64'))
}, 900_000)

test('a release is refused while something is not committed [INST-01]', () => {
  const clone = join(work, 'changed')
  run('git', ['clone', '-q', projectRoot, clone])
  run('ln', ['-s', join(projectRoot, 'node_modules'), join(clone, 'node_modules')])
  run('touch', ['left-over'], clone)
  expect(() =>
    execFileSync(process.execPath, ['scripts/release.mjs', 'out', ...published], {
      cwd: clone,
      stdio: 'pipe',
    }),
  ).toThrow(/Commit first/)
})

/** Runs the archive's own Node with nothing from this project or machine. */
async function startsAlone(folder: string): Promise<void> {
  const port = String(await freePort())
  const data = join(work, 'data')
  const env = {
    ...productionEnv,
    PATH: '/usr/bin:/bin',
    PORT: port,
    BACKUPS: 'off',
    LOG_LEVEL: 'silent',
    DATABASE_FILE: join(data, 'portal.sqlite'),
    UPLOADS_DIR: join(data, 'uploads'),
  }
  const node = join(folder, 'bin/node')
  const modules = ['better-sqlite3', '@node-rs/argon2', 'sharp', '@simplewebauthn/server']
  const fonts = ['400Regular/NotoSerif_400Regular.ttf', '600SemiBold/NotoSerif_600SemiBold.ttf']
  for (const font of fonts)
    expect(statSync(join(folder, 'node_modules/@expo-google-fonts/noto-serif', font)).size).toBeGreaterThan(
      1e5,
    )
  const load = `${modules.map(name => `await import('${name}')`).join(';')}; console.log('loaded')`
  expect(
    execFileSync(node, ['--input-type=module', '-e', load], { cwd: folder, env, encoding: 'utf8' }),
  ).toBe('loaded\n')
  const site = spawn(node, ['dist/server/server.js'], { cwd: folder, env, stdio: 'ignore' })
  try {
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/api/health`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 30_000 },
      )
      .toBe(200)
  } finally {
    site.kill()
  }
}
