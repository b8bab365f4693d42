// After `npm ci`: npm up to version 10 does not link the Node that it installed, so the machine's own Node would run.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
const installed = `node-linux-${process.arch}/bin/node`
if (existsSync(modules + installed) && !existsSync(`${modules}.bin/node`)) {
  mkdirSync(`${modules}.bin`, { recursive: true })
  symlinkSync(`../${installed}`, `${modules}.bin/node`)
}
