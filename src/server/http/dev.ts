import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import middie from '@fastify/middie'
import type { FastifyInstance } from 'fastify'
import { createServer } from 'vite'
import { projectRoot } from '../../../db/project-root.ts'
import { isApiUrl } from './api-url.ts'

/** For `npm run dev`: the browser app straight from its source with hot reload, in place of the build. */
export async function mountDev(app: FastifyInstance): Promise<void> {
  const vite = await createServer({
    root: projectRoot,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  await app.register(middie)
  app.use((request, response, next) => {
    // Vite would answer these with HTML.
    if (isApiUrl(request.url ?? '')) return next()
    // Hot reload comes as an inline script and over a socket; the build has neither.
    response.removeHeader('content-security-policy')
    vite.middlewares(request, response, next)
  })
  app.get('/*', async (request, reply) => {
    if (isApiUrl(request.url)) return reply.callNotFound()
    const template = await readFile(join(projectRoot, 'index.html'), 'utf8')
    return reply
      .removeHeader('content-security-policy')
      .type('text/html')
      .send(await vite.transformIndexHtml(request.url, template))
  })
  app.addHook('onClose', () => vite.close())
}
