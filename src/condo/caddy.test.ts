import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { afterThisTest } from '../testing/cleanups.ts'
import { writeBlock } from './caddy.ts'
import { createMachine } from './machine.ts'
import { paths, releaseFolder } from './site.ts'

const block = (size: string) => `DOMAIN {\n\trequest_body max_size ${size}\n\treverse_proxy unix/SOCKET\n}\n`
const written = (size: string) =>
  `condo.example {\n\trequest_body max_size ${size}\n\treverse_proxy unix//run/condo/site/site.sock\n}\n`

/** A server whose releases differ in Caddy's block; Caddy takes what does not say 0MB. */
function server() {
  const root = mkdtempSync(join(tmpdir(), 'condo-caddy-'))
  afterThisTest(() => rmSync(root, { recursive: true }))
  const at = (path: string) => join(root, path)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  const read = (path: string) => readFileSync(at(path), 'utf8')
  for (const [version, size] of Object.entries({
    '1.0.0': '1MB',
    '1.1.0': '1MB',
    '2.0.0': '2MB',
    '3.0.0': '0MB',
  }))
    put(`${releaseFolder(version)}/deploy/site.caddy`, block(size))
  put(paths.settings, 'ORIGIN=https://condo.example\n')
  put(paths.caddySite, '')
  const said: string[] = []
  let reloads = 0
  const machine = createMachine({
    root,
    say: line => said.push(line),
    spawn: (command, args) => {
      if (args[0] === 'reload') reloads += 1
      const isRefused = command === 'caddy' && read(paths.caddySite).includes(' 0MB')
      return { code: isRefused ? 1 : 0, out: '', err: isRefused ? 'parsing\nno size\n' : '' }
    },
  })
  return { machine, put, read, reloads: () => reloads, said }
}

test('an upgrade brings its block for Caddy; one that the owner changed stays until there is a new one, and is kept [INST-39]', () => {
  const { machine, put, read, reloads, said } = server()
  writeBlock(machine, '1.0.0')
  expect([read(paths.caddySite), reloads()]).toEqual([written('1MB'), 1])
  writeBlock(machine, '1.1.0')
  expect(reloads()).toBe(1)

  const own = written('9MB')
  put(paths.caddySite, own)
  writeBlock(machine, '1.1.0')
  expect([read(paths.caddySite), said.length]).toEqual([own, 1])
  writeBlock(machine, '2.0.0')
  expect([read(paths.caddySite), read(`${paths.caddySite}.yours`)]).toEqual([written('2MB'), own])
  expect(said.at(-1)).toBe(`You had changed ${paths.caddySite}: your file is ${paths.caddySite}.yours`)
})

test('a block that Caddy does not take leaves the one before [INST-39]', () => {
  const { machine, read, said } = server()
  writeBlock(machine, '2.0.0')
  writeBlock(machine, '3.0.0')
  expect(read(paths.caddySite)).toBe(written('2MB'))
  expect(said.at(-1)).toBe('Caddy does not take the block of 3.0.0, so the one before stays: no size')
})
