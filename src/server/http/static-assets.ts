import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { chooseEncoding, type Encoding } from './encodings.ts'

const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/** Serves scripts and styles, whose names contain a content hash, from memory, as compressed by the build. */
export async function mountAssets(app: FastifyInstance, folder: string): Promise<void> {
  const names = new Set(await readdir(folder))
  for (const name of names) {
    const type = types[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const bodies = await readEncodings(folder, name, names)
    app.get(`/assets/${name}`, (request, reply) => {
      const encoding = chooseEncoding(request.headers['accept-encoding'], bodies)
      if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
      return reply
        .header('Vary', 'Accept-Encoding')
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .type(type)
        .send(bodies[encoding])
    })
  }
}

async function readEncodings(folder: string, name: string, names: Set<string>) {
  const bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer } = {
    identity: await readFile(join(folder, name)),
  }
  if (names.has(`${name}.br`)) bodies.br = await readFile(join(folder, `${name}.br`))
  if (names.has(`${name}.gz`)) bodies.gzip = await readFile(join(folder, `${name}.gz`))
  return bodies
}
