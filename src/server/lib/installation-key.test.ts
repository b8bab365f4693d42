import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/test-app.ts'
import { testFolder } from '../../testing/test-folder.ts'
import { sendAndWait, startWorkerProcess } from '../../testing/worker-process.ts'
import { type InstallationKey, keyPathOf, loadInstallationKey } from './installation-key.ts'
import { seal, sealedPrefix, unseal } from './sealed.ts'

function place() {
  const folder = testFolder()
  const databaseFile = join(folder, 'db/portal.sqlite')
  return { databaseFile, path: keyPathOf(databaseFile) }
}
async function keyOf(databaseFile: string): Promise<InstallationKey> {
  const loaded = await loadInstallationKey(databaseFile)
  if (loaded.state !== 'ready') throw new Error(loaded.message)
  return loaded.key
}
const modeOf = (path: string) => statSync(path).mode & 0o777

test('the first start creates a key with mode 0600, and later starts read it', async () => {
  const { databaseFile, path } = place()
  const first = await loadInstallationKey(databaseFile)
  expect(first).toMatchObject({ state: 'ready', isNew: true, wasExposed: false })
  expect(readFileSync(path)).toHaveLength(32)
  expect(modeOf(path)).toBe(0o600)
  expect(readdirSync(dirname(path))).toEqual(['secret.key'])
  const again = await loadInstallationKey(databaseFile)
  expect(again).toEqual({ ...first, isNew: false })
  // The id does not reveal the key, and another installation has another key.
  const { bytes, id } = await keyOf(databaseFile)
  expect(bytes.toString('hex')).not.toContain(id)
  expect(await keyOf(place().databaseFile)).not.toEqual({ bytes, id })
  expect((await keyOf(':memory:')).bytes).toHaveLength(32)
})

test('processes that start at the same time load the same key', async () => {
  const app = await testApp()
  rmSync(keyPathOf(app.deps.config.databaseFile))
  const rivals = await Promise.all([1, 2, 3].map(() => startWorkerProcess(app, 'key-process.ts', {})))
  const answers = await Promise.all(rivals.map(rival => sendAndWait(rival, 'load')))
  const own = await keyOf(app.deps.config.databaseFile)
  expect(answers.map(answer => answer.split(' ')[1])).toEqual(Array(3).fill(own.bytes.toString('hex')))
  expect(answers.filter(answer => answer.startsWith('true'))).toHaveLength(1)
  expect(readdirSync(app.folder).filter(name => name.includes('secret'))).toEqual(['secret.key'])
})

test('simultaneous loads in one process get the same key', async () => {
  const { databaseFile } = place()
  const states = await Promise.all(Array.from({ length: 20 }, () => loadInstallationKey(databaseFile)))
  const keys = states.map(state => (state.state === 'ready' ? state.key.bytes.toString('hex') : state.state))
  expect(new Set(keys).size).toBe(1)
  expect(states.filter(state => state.state === 'ready' && state.isNew)).toHaveLength(1)
})

test.each([0, 31, 33])('reports a key file of %i bytes as damaged and leaves it unchanged', async size => {
  const { databaseFile, path } = place()
  await keyOf(databaseFile)
  truncateSync(path, size)
  const before = readFileSync(path)
  expect(await loadInstallationKey(databaseFile)).toEqual({
    state: 'damaged',
    path,
    message: `${path} is damaged: it has ${size} bytes instead of 32. Put the copy of it back that you keep apart from the backups.`,
  })
  expect(readFileSync(path)).toEqual(before)
})

test('reports a key path that is not a file, without crashing', async () => {
  const { databaseFile, path } = place()
  mkdirSync(path, { recursive: true })
  expect(await loadInstallationKey(databaseFile)).toEqual({
    state: 'unreadable',
    path,
    message: `${path} cannot be read (EISDIR).`,
  })
  expect(statSync(path).isDirectory()).toBe(true)
})

test('a key file that other users can read gets mode 0600, and the start reports it once', async () => {
  const { databaseFile, path } = place()
  const key = await keyOf(databaseFile)
  for (const mode of [0o644, 0o640, 0o604]) {
    chmodSync(path, mode)
    expect(await loadInstallationKey(databaseFile)).toMatchObject({ state: 'ready', key, wasExposed: true })
    expect(modeOf(path)).toBe(0o600)
  }
  chmodSync(path, 0o400)
  expect(await loadInstallationKey(databaseFile)).toMatchObject({ wasExposed: false })
})

test('a sealed secret is decrypted only with its key and for its row', async () => {
  const [key, other] = [await keyOf(place().databaseFile), await keyOf(place().databaseFile)]
  const secret = Buffer.from('a planted secret')
  const sealed = seal(key, 'row-1', secret)
  expect(unseal(key, 'row-1', sealed)).toEqual(secret)
  expect(unseal(key, 'row-2', sealed)).toBeUndefined()
  expect(unseal(other, 'row-1', sealed)).toBeUndefined()
  expect(unseal({ ...other, id: key.id }, 'row-1', sealed)).toBeUndefined()
  expect(sealed.startsWith(sealedPrefix(key))).toBe(true)
  expect(sealed.startsWith(sealedPrefix(other))).toBe(false)
  for (const spelling of ['utf8', 'hex', 'base64', 'base64url'] as const)
    expect(sealed).not.toContain(secret.toString(spelling))
  expect(unseal(key, 'row-1', seal(key, 'row-1', Buffer.alloc(0)))).toEqual(Buffer.alloc(0))
})

test('never reuses a nonce', async () => {
  const key = await keyOf(':memory:')
  const nonces = Array.from({ length: 500 }, () =>
    seal(key, 'row', Buffer.from('same')).split('.')[2]?.slice(0, 16),
  )
  expect(new Set(nonces).size).toBe(500)
})

test('a sealed text with any changed character, or in another format, is not decrypted', async () => {
  const key = await keyOf(':memory:')
  const sealed = seal(key, 'row', Buffer.from('a planted secret'))
  const changed = Array.from(
    sealed,
    (letter, at) => `${sealed.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`,
  )
  const odd = [
    '',
    '.',
    '..',
    sealed.slice(0, -1),
    `${sealed}A`,
    `${sealed}=`,
    `${sealed}.`,
    sealedPrefix(key),
    sealed.toUpperCase(),
  ]
  // Several of the 64 possible last letters decode to the same bytes, but only one of them is accepted.
  const letters = Array.from({ length: 64 }, (_, at) =>
    Buffer.from([at << 2])
      .toString('base64url')
      .charAt(0),
  )
  const spellings = letters.map(letter => sealed.slice(0, -1) + letter)
  expect(spellings.filter(text => unseal(key, 'row', text) !== undefined)).toEqual([sealed])
  for (const text of [...changed, ...odd]) expect(unseal(key, 'row', text), text).toBeUndefined()
})
