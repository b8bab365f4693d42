import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import middie from '@fastify/middie'
import type { FastifyInstance } from 'fastify'
import { createServer } from 'vite'
import { projectRoot } from '../../../db/project-root.ts'
import { isPublicPath } from '../../domain/content/public-pages.ts'
import type { Deps } from '../kernel/deps.ts'
import { isApiUrl } from './calls-of.ts'
import { fallbackHead, fill, readPage, renderPage, screenPath, shownPattern, type WebApp } from './pages.ts'
import { previewOf, sendPreview, sendPreviewEnded } from './preview.ts'

/** For `npm run dev`: serves the browser app from source with hot reload, and renders pages on every request. */
export async function mountDev(app: FastifyInstance, deps: Deps): Promise<void> {
  const vite = await createServer({
    root: projectRoot,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  app.addHook('onClose', () => vite.close())
  await app.register(middie)
  app.use((request, response, next) => {
    // Vite would respond to these with HTML.
    if (isApiUrl(request.url ?? '')) return next()
    // Hot reload needs an inline script and a WebSocket, which the policy forbids; the build has neither.
    response.removeHeader('content-security-policy')
    vite.middlewares(request, response, next)
  })

  const { origin } = deps.config
  app.get('/*', async (request, reply) => {
    const path = screenPath(request)
    if (path === undefined) return reply.callNotFound()
    const source = await readFile(join(projectRoot, 'index.html'), 'utf8')
    // The script imports its styles too late for the server-rendered HTML.
    const styled = source.replace('<!--head-->', '$&<link rel="stylesheet" href="/src/web/app/styles.css" />')
    const template = await vite.transformIndexHtml(request.url, styled)
    let page = fill(template, fallbackHead)
    try {
      const web = (await vite.ssrLoadModule('/src/web/app/entry-server.tsx')) as WebApp
      if (shownPattern(deps, web, path) === undefined) reply.status(404)
      const preview = isPublicPath(path) ? previewOf(deps, request) : undefined
      if (preview === 'ended') return sendPreviewEnded(reply)
      const data = await readPage(web, path, preview ?? { deps })
      page = await renderPage(web, { path, data, origin, template })
      if (preview) return sendPreview(reply.removeHeader('content-security-policy'), page)
    } catch (error) {
      // The browser then renders the page and shows the error.
      if (error instanceof Error) vite.ssrFixStacktrace(error)
      deps.log.error({ err: error, path }, 'a page could not be rendered')
    }
    return reply
      .removeHeader('content-security-policy')
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page)
  })
}
