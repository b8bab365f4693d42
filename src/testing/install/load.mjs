// Asks the site for its health 20 times a second, a thousand times and until a file exists, and prints the answers:
// node load.mjs FILE
import { existsSync } from 'node:fs'
import { request } from 'node:https'

const statuses = {}
let slowest = 0
const ask = () =>
  new Promise(resolve => {
    const from = performance.now()
    const end = what => {
      statuses[what] = (statuses[what] ?? 0) + 1
      slowest = Math.max(slowest, performance.now() - from)
      resolve()
    }
    const options = {
      host: '127.0.0.1',
      servername: 'condo.example',
      headers: { host: 'condo.example' },
      agent: false,
    }
    request({ ...options, path: '/api/health', rejectUnauthorized: false }, answer => {
      answer.resume().once('end', () => end(answer.statusCode))
    })
      .once('error', error => end(error.code))
      .end()
  })
const all = []
const start = performance.now()
while (all.length < 1000 || !existsSync(process.argv[2])) {
  all.push(ask())
  await new Promise(resolve => setTimeout(resolve, start + 50 * all.length - performance.now()))
}
await Promise.all(all)
process.stdout.write(`${JSON.stringify({ statuses, slowest: Math.round(slowest) })}\n`)
