import { open } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { copyTypes, mediaPath, parseCopyName } from '../../domain/picture.ts'
import type { Deps } from '../kernel/deps.ts'
import { unlessMissing } from '../lib/disk.ts'
import { copyPath } from '../pictures/media-folder.ts'

/**
 * The copies of uploaded pictures, for everybody; anything else below this path is not found (PIC-11). HEAD comes with
 * GET.
 */
export function mountMedia(app: FastifyInstance, { config }: Deps): void {
  app.get<{ Params: { name: string } }>(`${mediaPath}:name`, async (request, reply) => {
    const copy = parseCopyName(request.params.name)
    if (!copy) return reply.callNotFound()
    const file = await open(copyPath(config.uploadsDir, copy)).catch(unlessMissing(undefined))
    if (!file) return reply.callNotFound()
    const { size } = await file.stat()
    return sealed(reply)
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Content-Length', size)
      .type(copyTypes[copy.format])
      .send(file.createReadStream())
  })
  app.get(`${mediaPath}*`, (_request, reply) => reply.callNotFound())
}

/** Whatever a browser takes it for, it does nothing. */
const sealed = (reply: FastifyReply) => reply.header('Content-Security-Policy', "default-src 'none'; sandbox")
