import { expect, test } from 'vitest'
import { bareServer } from '../testing/bare-server.ts'
import { isServed, serve, writeBlock } from './caddy.ts'
import { paths, releaseFolder } from './site.ts'

const block = (size: string) => `DOMAIN {\n\trequest_body max_size ${size}\n\treverse_proxy unix/SOCKET\n}\n`
const written = (size: string) =>
  `condo.example {\n\trequest_body max_size ${size}\n\treverse_proxy unix//run/condo/site/site.sock\n}\n`

/** A server whose releases differ in Caddy's block; Caddy takes what does not say 0MB. */
function server() {
  const made = bareServer(line => {
    const isRefused = line.startsWith('caddy validate') && made.read(paths.caddySite).includes(' 0MB')
    return isRefused ? { code: 1, err: 'parsing\nno size\n' } : undefined
  })
  for (const [version, size] of Object.entries({
    '1.0.0': '1MB',
    '1.1.0': '1MB',
    '2.0.0': '2MB',
    '3.0.0': '0MB',
  }))
    made.put(`${releaseFolder(version)}/deploy/site.caddy`, block(size))
  made.put(paths.caddySite, '')
  const reloads = () => made.calls.filter(call => call === 'systemctl reload caddy').length
  return { ...made, reloads }
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

test('settings that Caddy refuses are never in its file, also when the command is cut off, and a site that it serves stays [INST-09]', () => {
  const own = ':80 {\n}\n'
  let steps = 0
  for (let cutAt = 0; steps >= cutAt - 1; cutAt++) {
    steps = 0
    const { machine, put, read } = bareServer(
      line => (line.startsWith('caddy validate') ? { code: 1, err: 'nonsense' } : undefined),
      () => {
        if (steps++ === cutAt) throw new Error('cut')
      },
    )
    put(`${paths.current}/deploy/site.caddy`, block('1MB'))
    put(paths.caddyfile, own)
    expect(() => serve(machine, 'condo.example')).toThrow(/cut|Caddy does not take its settings/)
    expect(read(paths.caddyfile)).toBe(own)
  }
  expect(steps).toBeGreaterThan(8)

  let isRefused = false
  const { machine, put, read } = bareServer(line =>
    isRefused && line.startsWith('caddy validate') ? { code: 1, err: 'nonsense' } : undefined,
  )
  put(`${paths.current}/deploy/site.caddy`, block('1MB'))
  put(paths.caddyfile, own)
  serve(machine, 'condo.example')
  isRefused = true
  expect(() => serve(machine, 'condo.example')).toThrow('Caddy does not take its settings')
  expect([isServed(machine), read(paths.caddySite)]).toEqual([true, written('1MB')])
})
