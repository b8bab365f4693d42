import { expect, test, vi } from 'vitest'
import { bareServer } from '../testing/bare-server.ts'
import { addressAdvice, install } from './install.ts'
import { paths, releaseFolder } from './site.ts'
import { fullInDays } from './watch.ts'

const records = vi.hoisted(() => ({ four: [] as string[], six: [] as string[] }))
// The far end: what the domain's name server answers.
vi.mock('node:dns/promises', () => ({
  resolve4: async () => records.four,
  resolve6: async () => records.six,
}))

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
