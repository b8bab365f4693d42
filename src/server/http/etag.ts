import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Names this content; weak, because a proxy may compress it. */
export function etagOf(content: string | Buffer): string {
  return `W/"${hash('sha1', content, 'base64url')}"`
}

/** Whether the client has this content, so that 304 is the whole answer. */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match']
  return (given ?? '').split(',').some(tag => tag.trim() === etag)
}
