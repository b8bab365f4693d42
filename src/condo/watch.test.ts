import { expect, test } from 'vitest'
import { bareServer } from '../testing/bare-server.ts'
import { paths } from './site.ts'
import { watch } from './watch.ts'

test('the owner is mailed after ten minutes, once, and again when all is well; a clock that was ahead delays nothing [INST-46]', async () => {
  const { machine, put, calls, site } = bareServer()
  site.status = 503
  const at = (time: string) => watch(machine, new Date(`2026-11-03T${time}:00Z`))
  const mails = () => calls.filter(call => call.includes(' alarm ')).length
  // As it was written by a clock that was a year ahead.
  const ahead = '2027-11-03T12:00:00.000Z'
  const mailed = Array(4).fill(ahead)
  put(paths.watch, JSON.stringify({ since: ahead, fault: '', isMailed: false, mailed, disk: [] }))
  await at('12:00')
  await at('12:05')
  expect(mails()).toBe(0)
  await at('12:10')
  await at('12:15')
  expect(mails()).toBe(1)
  site.status = 200
  await at('12:20')
  await at('12:25')
  expect(mails()).toBe(2)
  for (const hour of ['13', '14', '15']) {
    site.status = 503
    await at(`${hour}:00`)
    await at(`${hour}:10`)
    site.status = 200
    await at(`${hour}:20`)
  }
  expect(mails()).toBe(4)
})
