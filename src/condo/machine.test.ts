import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from './machine.ts'

test('a site that answers without end is not read without end [INST-46]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'condo-machine-'))
  const path = join(folder, 'site.sock')
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
    rmSync(folder, { recursive: true })
  }
})
