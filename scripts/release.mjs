// Writes the release of the current commit to a folder: an archive for each architecture, and what describes them.
// Nothing is compiled: every binary is from a package whose hash stands in package-lock.json.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createGzip, gunzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'

const root = fileURLToPath(new URL('..', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    security: { type: 'boolean' },
    // One architecture only.
    arch: { type: 'string', multiple: true },
    // Where the releases will lie, and the file with the public keys that sign them (ssh's allowed_signers).
    releases: { type: 'string' },
    signers: { type: 'string' },
  },
})
const out = positionals[0] ?? join(root, 'release')
const architectures = values.arch ?? ['x64', 'arm64']

if (!values.releases?.startsWith('https://') || !values.signers)
  throw new Error('Usage: npm run release -- FOLDER --releases https://… --signers FILE')
const signers = readFileSync(values.signers, 'utf8').trim()
if (!/^(condo-release [^'\n]+\n?)+$/.test(signers))
  throw new Error('Each line of --signers: condo-release ssh-ed25519 …')

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
if (git('status', '--porcelain') !== '')
  throw new Error('Commit first: a release is made from a clean commit.')
const madeAt = new Date(Number(git('log', '-1', '--format=%ct')) * 1000)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })

/** What the server's bundle leaves outside; see `external` in vite.config.ts. The others are for development. */
const external = ['better-sqlite3', '@node-rs/argon2', 'sharp', '@simplewebauthn/server']
/** Of these only the weights that leases are printed in. */
const fonts = '@expo-google-fonts/noto-serif'
const isFont = file => /^(400Regular|600SemiBold)\/\w+\.ttf$/.test(file)
/** Needed to compile only. */
const neverNeeded = new Set(['node-addon-api'])
const notRun = /\.(md|ts|mts|cts|map|gyp|flow|html|bnf|tsbuildinfo)$/i
const notRunFolder = /^(tests?|docs|install|script)\//
/** The sources of what is in its prebuilt binary. */
const compiledFrom = /^(src|deps)\//
const isLicense = name => /^(licen[cs]e|copying|notice|third-party[^/]*)[^/]*$/i.test(name)

/** The packages that run on an architecture, by name. */
function packagesFor(arch) {
  const found = new Map()
  const add = name => {
    const entry = locked[`node_modules/${name}`]
    if (!entry || found.has(name) || neverNeeded.has(name)) return
    if (entry.os && ![entry.os].flat().includes('linux')) return
    if (entry.cpu && ![entry.cpu].flat().includes(arch)) return
    if (entry.libc && ![entry.libc].flat().includes('glibc')) return
    if (/linuxmusl|wasm32/.test(name)) return
    found.set(name, entry)
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(next)
  }
  for (const name of [...external, fonts]) add(name)
  return found
}

/** The oldest version whose database this one migrates. */
const oldestUpgraded = '0.1.0'

const work = mkdtempSync(join(tmpdir(), 'condo-release-'))

/** Downloads a package, checks its hash against the lock file, and returns its files. */
async function filesOf(name, { integrity, version }) {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', work, `${name}@${version}`], {
      encoding: 'utf8',
      cwd: work,
    }),
  )
  const packed = readFileSync(join(work, filename.replace('@', '').replaceAll('/', '-')))
  const [kind, wanted] = integrity.split('-', 2)
  if (kind !== 'sha512' || createHash(kind).update(packed).digest('base64') !== wanted)
    throw new Error(`${name}@${version} is not the package of package-lock.json.`)
  const files = new Map()
  const tar = extract()
  Readable.from([gunzipSync(packed)]).pipe(tar)
  for await (const entry of tar) {
    const bytes = await buffer(entry)
    if (entry.header.type === 'file') files.set(entry.header.name.replace(/^[^/]+\//, ''), bytes)
  }
  return files
}

const startsTool = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../dist/server/condo.js" "$@"
`
/** With the address of the releases, the keys to trust, and the date before which no clock is right. */
const installScript = Buffer.from(
  readFileSync(join(root, 'deploy/install.sh'), 'utf8')
    .replace("RELEASES=''", `RELEASES='${values.releases}'`)
    .replace("SIGNERS=''", `SIGNERS='${signers}\n'`)
    .replace("RELEASED=''", `RELEASED='${madeAt.toISOString().slice(0, 10)}'`),
)

/** Path in the archive → content. */
async function contentOf(arch) {
  const content = new Map()
  const addFolder = (folder, isWanted = () => true) => {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(root.length).replace(/^\//, '')
      if (entry.isFile() && isWanted(name)) content.set(name, readFileSync(path))
    }
  }
  addFolder('dist', name => !name.startsWith('dist/server/compile-cache/'))
  addFolder('db/migrations', name => name.endsWith('.sql') || name.endsWith('_journal.json'))
  addFolder('deploy')
  const { name, private: isPrivate, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  content.set('package.json', Buffer.from(`${JSON.stringify({ name, version, private: isPrivate, type })}\n`))
  const node = `node-linux-${arch}`
  const nodeFiles = await filesOf(node, locked[`node_modules/${node}`])
  content.set('deploy/install.sh', installScript)
  content.set('bin/condo', Buffer.from(startsTool))
  content.set('bin/node', nodeFiles.get('bin/node'))
  content.set('licenses/node/LICENSE', nodeFiles.get('LICENSE'))
  for (const [name, entry] of packagesFor(arch)) {
    for (const [file, bytes] of await filesOf(name, entry)) {
      if (isLicense(file)) content.set(`licenses/${name}/${file}`, bytes)
      else if (file.startsWith('prebuilds/') ? file === `prebuilds/linux-${arch}.node` : isRun(name, file))
        content.set(`node_modules/${name}/${file}`, bytes)
    }
  }
  return content
}

const isRun = (name, file) =>
  (name !== fonts || isFont(file)) &&
  !notRun.test(file) &&
  !notRunFolder.test(file) &&
  !(name === 'better-sqlite3' && compiledFrom.test(file))
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')
const isProgram = name => /^(bin\/|deploy\/(condo-cli|condo-in-container|install\.sh)$)/.test(name)

async function writeArchive(arch) {
  const content = await contentOf(arch)
  const sorted = [...content].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const manifest = sorted.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join('')
  const folder = `condo-${version}`
  const tar = pack()
  const file = `condo-${version}-linux-${arch}.tar.gz`
  const written = pipeline(tar, createGzip({ level: 9 }), createWriteStream(join(out, file)))
  for (const [name, bytes] of [...sorted, ['MANIFEST.sha256', Buffer.from(manifest)]])
    tar.entry(
      { name: `${folder}/${name}`, mode: isProgram(name) ? 0o755 : 0o644, uid: 0, gid: 0, mtime: madeAt },
      bytes,
    )
  tar.finalize()
  await written
  const packed = readFileSync(join(out, file))
  const unpacked = sorted.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0)
  console.log(
    `${file}: ${megabytes(packed.byteLength)} packed, ${megabytes(unpacked)} unpacked, ${sorted.length} files`,
  )
  return { arch, file, sha256: sha256(packed), bytes: packed.byteLength }
}

const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`

mkdirSync(out, { recursive: true })
try {
  const archives = []
  for (const arch of architectures) archives.push(await writeArchive(arch))
  const { entries } = JSON.parse(readFileSync(join(root, 'db/migrations/meta/_journal.json'), 'utf8'))
  // Lines that a shell can read.
  const lines = [
    `version ${version}`,
    `date ${madeAt.toISOString().slice(0, 10)}`,
    `security ${values.security ? 'yes' : 'no'}`,
    `upgrades-from ${oldestUpgraded}`,
    `migration ${entries.at(-1).tag}`,
    ...archives.map(({ arch, bytes, file, sha256 }) => `archive ${arch} ${file} ${bytes} ${sha256}`),
  ]
  const text = `${lines.join('\n')}\n`
  for (const name of [`condo-${version}.release`, 'latest.release']) writeFileSync(join(out, name), text)
  writeFileSync(join(out, 'install.sh'), installScript)
  console.log(`Sign it where the key is:
  ssh-keygen -Y sign -f KEY -n condo-release condo-${version}.release
  cp condo-${version}.release.sig latest.release.sig`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
