import { expect, test } from 'vitest'
import { bareServer } from '../testing/bare-server.ts'
import { restoreFrom } from './restore.ts'
import { paths } from './site.ts'

test('a file that does not fit on the disk leaves nothing behind [INST-43]', async () => {
  const { calls, machine, put } = bareServer(line =>
    line.includes('cat > "$1"') ? { code: 1, err: 'No space left on device' } : undefined,
  )
  put('/root/moving.tar.gz', '')
  await expect(restoreFrom(machine, '/root/moving.tar.gz', {})).rejects.toThrow(
    '/root/moving.tar.gz could not be copied for the site. Is the disk full?',
  )
  expect(calls.at(-1)).toContain(`rm -f ${paths.cache}/restore.tar.gz`)
})
