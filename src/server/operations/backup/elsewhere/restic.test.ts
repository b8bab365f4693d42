import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { afterThisTest } from '../../../../testing/cleanups.ts'
import { testFolder } from '../../../../testing/test-folder.ts'
import { removeStaleLocks, repositoryState, restic, wordsOf } from './restic.ts'

const repository = {
  target: { kind: 's3', address: 'https://s3.example.com/b', user: 'A' },
  password: 'planted-password',
  work: '/nowhere',
} as const
const words = (errors: string) => wordsOf(repository, { code: 1, output: '', errors })

test('the reason of restic is told, not what surrounds it, and no secret [INST-20, INST-23]', () => {
  expect(words('Fatal: the bucket is gone\ngoroutine 1 [running]:\n\truntime/asm_amd64.s:1594\n')).toBe(
    'Fatal: the bucket is gone',
  )
  expect(words('fatal error: out of memory\n\nruntime stack:\n')).toBe('fatal error: out of memory')
  // Since 0.17, with --json.
  expect(words('{"message_type":"exit_error","code":3,"message":"Warning: a file was not read"}\n')).toBe(
    'Warning: a file was not read',
  )
  expect(
    words(
      'unable to create lock in backend: repository is already locked by PID 7 on former by root (UID 0, GID 0)\n' +
        'lock was created at 2026-11-28 21:00:00 (1h ago)\nthe `unlock` command can be used to remove stale locks\n',
    ),
  ).toBe('The machine former is using these backups. If it is gone, its lock is removed after a day.')
  expect(words('first\nlast planted-password\n')).toBe('last …')
})

/** A folder where `restic` is a script. */
function withRestic(script: string): string {
  const folder = testFolder()
  writeFileSync(join(folder, 'restic'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  afterThisTest(() => void vi.unstubAllEnvs())
  return folder
}

test('ssh of the site’s own runs reads no settings of the machine’s user; that of a restore does [INST-20]', async () => {
  const work = join(withRestic('printf "%s\\n" "$@"'), 'work')
  const target = { kind: 'sftp', address: 'backup.example/condo', user: 'backup' } as const
  const command = async (sshKey?: string) =>
    (await restic({ target, password: 'x', work, sshKey }, ['cat'])).output
  expect(await command('a key')).toContain('ssh -F none -p 22 -i ')
  expect(await command()).toContain('ssh -p 22 -o ')
})

test('a storage host that keeps the locks that it deleted is told, and they are not read one by one [INST-27]', async () => {
  const folder = withRestic('echo "$*" >> "$TMPDIR/calls"; seq 51')
  const work = join(folder, 'work')
  await expect(removeStaleLocks({ ...repository, work }, new Date())).rejects.toThrow(
    /^The storage has 51 locks of backups/,
  )
  expect(readFileSync(join(work, 'calls'), 'utf8').trim().split('\n')).toHaveLength(1)
})

test('the name of a target is no reason: a folder called invalid is empty, and one that is denied is not [INST-20]', async () => {
  const address = '/mnt/refused-invalid'
  const target = { kind: 'folder', address, user: '' } as const
  const stateAfter = (reason: string) => {
    const words = `Fatal: unable to open config file: ${reason}\nIs there a repository at the following location?\n${address}`
    const work = withRestic(`printf '%s\\n' '${words}' >&2\nexit 1`)
    return repositoryState({ target, password: 'x', work })
  }
  expect(await stateAfter(`stat ${address}/config: no such file or directory`)).toBe('missing')
  await expect(stateAfter('open config: permission denied')).rejects.toThrow('permission denied')
})
