import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../testing/test-folder.ts'
import { createMachine } from './machine.ts'

test('a site that answers without end is not read without end [INST-46]', async () => {
  const path = join(testFolder(), 'site.sock')
  let sent = 0
  const server = createServer(connection => {
    connection.on('error', () => {})
    connection.write('HTTP/1.1 200 OK\r\n\r\n')
    const flood = () => {
      while (!connection.destroyed && connection.write('x'.repeat(64 * 1024))) sent += 64 * 1024
    }
    connection.on('drain', flood)
    flood()
  })
  await new Promise<void>(resolve => server.listen(path, resolve))
  try {
    expect(await createMachine().ask(path)).toEqual({ status: 0, body: '' })
    expect(sent).toBeLessThan(20e6)
  } finally {
    server.close()
  }
})

test('what a site or another program says in an error cannot steer the terminal of root [INST-46]', () => {
  const script = `import('${import.meta.dirname}/machine.ts').then(({ createMachine }) => {
    createMachine().complain('red: \\u001b[31m, up: \\u001b[A, bell: \\u0007\\nsecond line')
  })`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stderr).toBe('red: [31m, up: [A, bell: \nsecond line\n')
})
