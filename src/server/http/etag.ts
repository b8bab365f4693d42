import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Names this content; weak, because a proxy may compress it. */
export function etagOf(content: string | Buffer): string {
  return `W/"${hash('sha1', content, 'base64url')}"`
}

/** Whether the client has the content already. */
export function hasAlready(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match']
  return (given ?? '').split(',').some(one => one.trim() === etag)
}
