import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyDatabase, openDatabase } from '../../../../db/open.ts'
import { providerEvents } from '../../../../db/schema.ts'
import { makeLease } from '../../../testing/build-lease.ts'
import { fakeNetwork, setupApp, startMailServer, turnMailOn } from '../../../testing/build-setup.ts'
import { testApp } from '../../../testing/test-app.ts'
import { keepAlarm, sendAlarm } from './alarm.ts'
import { enteredSince } from './entered.ts'
import { machineNotices, readMachineReport } from './machine-report.ts'

const port = 4683

test('what a newer database has and its former copy has not is listed, whatever the clock said; logins and the program itself do not count [INST-38]', async () => {
  const app = await testApp()
  const former = join(app.folder, 'former.sqlite')
  const { sqlite, close } = openDatabase(app.deps.config.databaseFile)
  copyDatabase(sqlite, former)
  expect(enteredSince(sqlite, former)).toEqual([])
  // The copy was made while the clock was ahead.
  app.setNow('2026-03-03T17:00:00.000Z')
  await makeLease(app)
  const rows = enteredSince(sqlite, former)
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['application', 'lease', 'event']))
  expect(rows.find(({ kind }) => kind === 'application')?.what).toMatch(/^APP-2026-0001 /)
  const counted = rows.length
  await app.deps.write(tx =>
    tx
      .insert(providerEvents)
      .values({
        id: 'evt_1',
        type: 'charge.dispute.created',
        receivedAt: app.deps.clock.now().toISOString(),
        outcome: 'applied',
        payload: '',
      })
      .run(),
  )
  expect(enteredSince(sqlite, former)).toHaveLength(counted + 1)
  const later = join(app.folder, 'later.sqlite')
  copyDatabase(sqlite, later)
  expect(enteredSince(sqlite, later)).toEqual([])
  close()
})

test('the watch can mail the owner by a sealed copy of the mail settings when the database is gone [INST-46]', async () => {
  const smtp = await startMailServer(port)
  const network = fakeNetwork(port)
  const app = await setupApp({ mailNetwork: network })
  await turnMailOn(app, smtp)
  const folder = join(app.deps.config.databaseFile, '..')
  await keepAlarm(app.deps).stop()
  await expect.poll(() => readdir(folder)).toContain('alarm.sealed')
  // Only the key and the copy are left.
  const left = join(app.folder, 'left')
  mkdirSync(left)
  for (const name of ['secret.key', 'alarm.sealed']) copyFileSync(join(folder, name), join(left, name))
  const before = smtp.received.length
  await sendAlarm(
    { ...app.deps.config, databaseFile: join(left, 'portal.sqlite') },
    { subject: 'It is down', text: 'Since noon <now>.' },
    network,
  )
  expect(smtp.received.slice(before).map(({ parsed }) => [parsed.subject, parsed.text?.trim()])).toEqual([
    ['It is down', 'Since noon <now>.'],
  ])
})

test('what the watch found is a danger on the board: a full disk, a certificate that was not renewed [INST-47]', async () => {
  const app = await testApp()
  const machineFile = join(app.folder, 'machine.json')
  const found = {
    at: app.deps.clock.now().toISOString(),
    version: '0.2.0',
    freeMb: 20_000,
    freePercent: 40,
    fullInDays: null,
    certificateEndsAt: '2026-06-01T00:00:00.000Z',
    isCertificateOld: false,
  }
  const titles = (changed: Partial<typeof found>) => {
    writeFileSync(machineFile, JSON.stringify({ ...found, ...changed }))
    const deps = { ...app.deps, config: { ...app.deps.config, machineFile } }
    return machineNotices(deps).map(({ title }) => title)
  }
  expect(titles({})).toEqual([])
  expect(titles({ freeMb: 900 })).toEqual(['The server’s disk is almost full'])
  expect(titles({ freePercent: 9 })).toEqual(['The server’s disk is almost full'])
  expect(titles({ isCertificateOld: true })).toEqual(['The site’s certificate was not renewed'])
  expect(readMachineReport({ machineFile: undefined })).toBeUndefined()
})
