import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterThisTest } from '../cleanups.ts'
import { killRounds } from '../resilience/kill-rounds.ts'
import { createDisk } from './disk.ts'
import { requirePrograms } from './machine.ts'

const rounds = Number(process.env.POWER_CUTS ?? 10)

test('a power cut loses what was not synced, and keeps what was', () => {
  requirePrograms('mkfs.ext4', 'perl')
  const disk = createDisk(1)
  afterThisTest(disk.remove)
  const path = join(disk.folder, 'file')
  writeFileSync(path, 'synced', { flush: true })
  writeFileSync(path, 'not synced')
  writeFileSync(`${path}-new`, 'not synced')
  disk.cutPower()
  disk.mountAgain()
  expect(() => readFileSync(`${path}-new`)).toThrow('ENOENT')
  expect(readFileSync(path, 'utf8')).not.toBe('not synced')
})

test(
  `${rounds} power cuts at random lose no answered write, and the data are well after each [INST-37]`,
  async () => {
    requirePrograms('mkfs.ext4', 'perl')
    const disk = createDisk(4)
    afterThisTest(disk.remove)
    const folder = join(disk.folder, 'site')
    mkdirSync(folder)
    const result = await killRounds(rounds, { disk, folder })
    console.warn(JSON.stringify(result))
    expect(result.acknowledged).toBeGreaterThan(rounds * 5)
  },
  rounds * 60_000,
)
