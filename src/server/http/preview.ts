import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../kernel/deps.ts'
import { openPreview } from '../site/editor/preview-link.ts'

/** The deps with the draft's content, and the token that opened the preview. */
export type Preview = { deps: Deps; token: string }

const tokenOf = (request: FastifyRequest) => (request.query as { preview?: unknown }).preview

/** Whether a request asks for a preview, valid or not. */
export const isPreview = (request: FastifyRequest): boolean => tokenOf(request) !== undefined

/**
 * The preview of a request with `?preview=TOKEN` (SITE-28); undefined without the parameter, 'ended' for an invalid or
 * expired token (SITE-30).
 */
export function previewOf(deps: Deps, request: FastifyRequest): Preview | 'ended' | undefined {
  const token = tokenOf(request)
  if (token === undefined) return undefined
  const siteContent = typeof token === 'string' ? openPreview(deps, token) : undefined
  const shown = { ...deps, opening: () => 'open' as const }
  return siteContent ? { deps: { ...shown, siteContent }, token: token as string } : 'ended'
}

/** Sends a preview's document, which must not be stored or indexed (SITE-29). */
export const sendPreview = (reply: FastifyReply, html: string) =>
  reply
    .header('Cache-Control', 'no-store')
    .header('X-Robots-Tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(html)

/** Sends the same response for every invalid or expired token (SITE-30). */
export const sendPreviewEnded = (reply: FastifyReply) =>
  sendPlainPage(reply.status(404), 'Preview', 'This preview has ended. Open a new one from the editor.')

/** Sends a document of one sentence that needs nothing else. */
export const sendPlainPage = (reply: FastifyReply, title: string, sentence: string) =>
  sendPreview(
    reply,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><meta name="robots" content="noindex" /><title>${title}</title>
<style>
  body { min-height: 100vh; margin: 0; display: grid; place-content: center; background: #faf8f3; color: #15273e }
  p { max-width: 36rem; padding: 1.5rem; font: 1.5rem/1.4 Georgia, serif; text-align: center; text-wrap: balance }
</style></head>
<body><p>${sentence}</p></body></html>
`,
  )
