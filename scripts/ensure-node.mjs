import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Resolves if this Node is new enough. Otherwise runs the same command with the Node that `npm ci` installs on Linux,
 * and exits with its exit code. (npm up to version 10 does not link that Node, so the machine's own runs first.)
 */
export async function ensureNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major >= 24) return
  // With these versions, npm skips binaries of packages that require a newer Node.
  if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
    console.error(
      `Node ${process.versions.node} is too old: npm skips required packages with this version. Install Node 24 or newer, then run "npm ci" again.`,
    )
    process.exit(1)
  }
  const own = fileURLToPath(new URL(`../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url))
  if (process.platform !== 'linux' || !existsSync(own)) {
    console.error(
      `Node ${process.versions.node} is too old: 24 or newer is needed. On Linux "npm ci" installs one; then use "npm start".`,
    )
    process.exit(1)
  }
  const child = spawn(own, process.argv.slice(1), { stdio: 'inherit' })
  // Ctrl-C reaches both processes; a signal to this process alone is forwarded.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exit(code ?? 1)
}
