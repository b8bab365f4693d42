import type { FastifyReply, FastifyRequest } from 'fastify'
import { openPreview } from '../editor/preview-link.ts'
import type { Deps } from '../kernel/deps.ts'

/** The site with the draft's words, and the token that opened it. */
export type Preview = { deps: Deps; token: string }

/**
 * The preview that a request asks for by `?preview=TOKEN` (SITE-28); undefined without that, 'ended' for a token that
 * opens none (SITE-30).
 */
export function previewOf(deps: Deps, request: FastifyRequest): Preview | 'ended' | undefined {
  const { preview: token } = request.query as { preview?: unknown }
  if (token === undefined) return undefined
  const words = typeof token === 'string' ? openPreview(deps, token) : undefined
  return words ? { deps: { ...deps, words }, token: token as string } : 'ended'
}

/** Answers a preview's document, which nobody may store or index (SITE-29). */
export const sendPreview = (reply: FastifyReply, html: string) =>
  reply
    .header('Cache-Control', 'no-store')
    .header('X-Robots-Tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(html)

/** The same answer for every token that opens no preview (SITE-30). */
export const sendPreviewEnded = (reply: FastifyReply) => sendPreview(reply.status(404), ended)

const sentence = 'This preview has ended. Open a new one from the editor.'
const ended = `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><meta name="robots" content="noindex" /><title>Preview</title></head>
<body><p>${sentence}</p></body></html>
`
