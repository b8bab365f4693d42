import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { copyTypes, mediaPath, parseCopyName } from '../../domain/content/picture.ts'
import type { Deps } from '../kernel/deps.ts'
import { ifMissing } from '../lib/disk.ts'
import { copyPath } from '../workers/pictures/media-folder.ts'

/**
 * Serves the resized copies of uploaded pictures to everyone; anything else below this path is 404 (PIC-11). Fastify
 * adds HEAD to GET.
 */
export function mountMedia(app: FastifyInstance, { config }: Deps): void {
  app.get<{ Params: { name: string } }>(`${mediaPath}:name`, async (request, reply) => {
    const copy = parseCopyName(request.params.name)
    if (!copy) return reply.callNotFound()
    const file = await open(copyPath(config.uploadsDir, copy)).catch(ifMissing(undefined))
    if (!file) return reply.callNotFound()
    const { size } = await file.stat()
    const isHead = request.method === 'HEAD'
    // For HEAD, Fastify would read a stream to its end after the answer.
    if (isHead) await file.close()
    return sealed(reply)
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Content-Length', size)
      .type(copyTypes[copy.format])
      .send(isHead ? Readable.from([]) : file.createReadStream())
  })
  app.get(`${mediaPath}*`, (_request, reply) => reply.callNotFound())
}

/** Prevents the response from running scripts, no matter how a browser interprets it. */
const sealed = (reply: FastifyReply) => reply.header('Content-Security-Policy', "default-src 'none'; sandbox")
