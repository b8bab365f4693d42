// Separate process that polls one address, and reports on request the slowest response since the last report.
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'

export type Worst = {
  /** The slowest response. */
  ms: number
  /** The most processor time of the site's main thread during one response, regardless of other load. */
  mainThreadMs: number
}

const [, , url = '', pid = ''] = process.argv
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let worst: Worst = { ms: 0, mainThreadMs: 0 }

process.on('message', () => {
  process.send?.(worst)
  worst = { ms: 0, mainThreadMs: 0 }
})
process.on('disconnect', () => process.exit())
while (true) {
  const [startedAt, workedBefore] = [performance.now(), mainThreadMs()]
  await ask()
  worst = {
    ms: Math.max(worst.ms, performance.now() - startedAt),
    mainThreadMs: Math.max(worst.mainThreadMs, mainThreadMs() - workedBefore),
  }
  await new Promise(resolve => setTimeout(resolve, 4))
}

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, response => response.resume().once('end', resolve)).once('error', reject)
  })
}

/** Processor time of the site's main thread so far; 0 if the system does not report it (not Linux). */
function mainThreadMs(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}
