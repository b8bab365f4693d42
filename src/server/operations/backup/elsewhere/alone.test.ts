import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { projectRoot } from '../../../../../db/project-root.ts'
import { afterThisTest } from '../../../../testing/cleanups.ts'
import { testFolder } from '../../../../testing/test-folder.ts'
import { alone } from './alone.ts'

function place() {
  const folder = testFolder()
  mkdirSync(join(folder, 'restic/staging'), { recursive: true })
  writeFileSync(join(folder, 'restic/staging/secret.key'), 'x')
  writeFileSync(join(folder, 'restic/known_hosts'), 'x')
  return { folder, databaseFile: join(folder, 'portal.sqlite') }
}

test('one works at a time, and finds and leaves nothing but the known hosts [INST-27]', async () => {
  const { databaseFile, folder } = place()
  const gate = Promise.withResolvers<void>()
  const left = join(folder, 'restic/left')
  const first = alone(databaseFile, async () => {
    expect(existsSync(join(folder, 'restic/staging'))).toBe(false)
    writeFileSync(left, 'x')
    await gate.promise
  })
  await expect(alone(databaseFile, async () => {})).rejects.toThrow('A backup elsewhere is running.')
  expect(existsSync(left)).toBe(true)
  gate.resolve()
  await first
  expect([existsSync(left), existsSync(join(folder, 'restic/known_hosts'))]).toEqual([false, true])
  await expect(alone(databaseFile, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await alone(databaseFile, async () => 'again')).toBe('again')
})

test('another process holds the lock until it is killed, and removes its files when it exits [INST-27]', async () => {
  const { databaseFile, folder } = place()
  const mark = join(folder, 'restic/mark')
  const start = async () => {
    const code = `
      import { writeFileSync } from 'node:fs'
      import { alone } from './src/server/operations/backup/elsewhere/alone.ts'
      process.once('SIGTERM', () => process.exit(1))
      await alone(${JSON.stringify(databaseFile)}, async () => {
        writeFileSync(${JSON.stringify(mark)}, 'x')
        await new Promise(resolve => setTimeout(resolve, 60_000))
      })`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      cwd: projectRoot,
      stdio: 'inherit',
    })
    afterThisTest(() => void child.kill('SIGKILL'))
    await vi.waitFor(() => expect(existsSync(mark)).toBe(true), { timeout: 20_000 })
    return (signal: NodeJS.Signals) => {
      child.kill(signal)
      return new Promise(resolve => child.once('exit', resolve))
    }
  }
  const kill = await start()
  await expect(alone(databaseFile, async () => {})).rejects.toThrow('A backup elsewhere is running.')
  await kill('SIGKILL')
  expect(existsSync(mark)).toBe(true)
  await alone(databaseFile, async () => expect(existsSync(mark)).toBe(false))
  const end = await start()
  await end('SIGTERM')
  expect(existsSync(mark)).toBe(false)
}, 60_000)
