import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** The content's ETag; weak, because a proxy may compress the content. */
export function etagOf(content: string | Buffer): string {
  return `W/"${hash('sha1', content, 'base64url')}"`
}

/** Whether the client already has this content, so that the response is a 304. */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match']
  return (given ?? '').split(',').some(tag => tag.trim() === etag)
}
