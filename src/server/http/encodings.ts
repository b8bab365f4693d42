import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip' | 'identity'
/** A content as it is, and compressed. */
export type Bodies = Partial<Record<Encoding, Buffer>> & { identity: Buffer }

/** Prefers brotli to gzip, if available and accepted by the browser. */
export function chooseEncoding(
  accepted: string | string[] | undefined,
  available: Partial<Record<Encoding, unknown>>,
): Encoding {
  const offered = new Map(
    String(accepted ?? '')
      .split(',')
      .map(part => {
        const [name = '', ...parameters] = part
          .toLowerCase()
          .split(';')
          .map(text => text.trim())
        return [name, !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))]
      }),
  )
  return (
    (['br', 'gzip'] as const).find(name => available[name] !== undefined && offered.get(name)) ?? 'identity'
  )
}

/** The content's ETag; weak, because a proxy may compress the content. */
export function etagOf(content: string | Buffer): string {
  return `W/"${hash('sha1', content, 'base64url')}"`
}

/** Whether the client already has this content, so that the response is a 304. */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match']
  return (given ?? '').split(',').some(tag => tag.trim() === etag)
}
