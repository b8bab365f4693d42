// Stand-in for the picture worker in tests of how a child process can end. The file name of the original selects the
// behavior.
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

process.once('message', ({ folder, path }: { folder: string; path: string }) => {
  if (folder) writeFileSync(join(folder, '0123456789abcdef-400.webp'), 'half')
  const kind = basename(path)
  if (kind === 'crashes') process.exit(7)
  if (kind === 'is killed') process.kill(process.pid, 'SIGKILL')
  if (kind === 'disk is full')
    process.send?.({ result: 'failed', reason: 'Error: ENOSPC: no space left on device', code: 'ENOSPC' })
  // Any other name hangs.
  setInterval(() => {}, 1000)
})
