import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Resolves where this Node is new enough. Else the same command runs with the Node that `npm ci` brings on Linux (npm up
 * to version 10 does not link it, so that the machine's own one runs first), and this process ends as that one does.
 */
export async function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major >= 24) return
  // Under these npm leaves out the binaries of packages that ask for a newer one.
  if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
    console.error(
      `Node ${process.versions.node} is too old, and npm leaves out packages with it. Bring Node 24 or newer, then run "npm ci" again.`,
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
  // Ctrl-C reaches both; a signal to this process alone is passed on.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exit(code ?? 1)
}
