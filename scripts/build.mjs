// Builds the browser app and the server, always in production mode, whatever the shell's `NODE_ENV` is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ensureNode } from './ensure-node.mjs'

await ensureNode()
// Imported after the check, because Vite does not load in an old Node.
const { build } = await import('vite')
process.env.NODE_ENV = 'production'
await build({ logLevel: 'warn' })
await build({ logLevel: 'warn', build: { ssr: true } })
compressFiles(fileURLToPath(new URL('../dist/client/', import.meta.url)))

/** Writes compressed copies of each text file next to it, which the server sends as they are. */
function compressFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|svg|ttf)$/.test(name)) continue
    const content = readFileSync(folder + name)
    if (content.length < 512) continue
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(`${folder}${name}.br`, brotliCompressSync(content, { params }))
    writeFileSync(`${folder}${name}.gz`, gzipSync(content, { level: 9 }))
  }
}
