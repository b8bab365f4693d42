import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/common/errors.ts'
import type { GetContext } from './context.ts'
import { createFairShares } from './shares.ts'

/** What smaller responses take is bounded by the number of connections. The home page, compressed, is one of them. */
const smallBytes = 64 * 1024
const mb = 1024 * 1024
const sharesOf = (ofAll: number) => createFairShares({ ofOne: 8 * mb, ofNetwork: 12 * mb, ofAll })
/** Visitors must not fill the share of people who are signed in. */
const enter = { guest: sharesOf(16 * mb), tenant: sharesOf(32 * mb), admin: sharesOf(16 * mb) }

/**
 * Counts a response's bytes until they are sent; false if too many are not yet. The last one may exceed a limit, so that
 * none is refused for its size alone.
 */
export function enterUnsent(
  { ip, socket }: FastifyRequest,
  { raw }: FastifyReply,
  bytes: number,
  reader: { role: keyof typeof enter; userId?: string } = { role: 'guest' },
): boolean {
  // A response emits no 'close' after its connection has closed.
  if (bytes <= smallBytes || socket.destroyed) return true
  const { leave } = enter[reader.role](ip, { person: reader.userId, amount: bytes })
  if (leave) raw.once('close', leave)
  return leave !== undefined
}

/** Limits the memory of responses that nobody reads. Streams wait for their readers. */
export function limitUnsent(app: FastifyInstance, getContext: GetContext): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const hasBody = typeof payload === 'string' || Buffer.isBuffer(payload)
    const bytes = hasBody && request.method !== 'HEAD' ? Buffer.byteLength(payload) : 0
    if (bytes <= smallBytes) return payload
    const { actor } = await getContext(request)
    // The work of other methods is done, so they must be answered.
    if (enterUnsent(request, reply, bytes, actor) || request.method !== 'GET') return payload
    for (const name of ['Cache-Control', 'Content-Disposition', 'Content-Encoding', 'ETag'])
      reply.removeHeader(name)
    throw new AppError('unavailable', 'The site is busy. Please try again in a moment.', {
      retryAfterSeconds: 10,
    })
  })
}
