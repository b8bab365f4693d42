// Asks one address over and over in a process of its own, and tells its parent the longest answer since it was last asked.
import { Agent, get } from 'node:http'

const url = process.argv[2] ?? ''
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longestMs = 0

process.on('message', () => {
  process.send?.(longestMs)
  longestMs = 0
})
process.on('disconnect', () => process.exit())
while (true) {
  const startedAt = performance.now()
  await ask()
  longestMs = Math.max(longestMs, performance.now() - startedAt)
  await new Promise(resolve => setTimeout(resolve, 4))
}

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, response => response.resume().once('end', resolve)).once('error', reject)
  })
}
