import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { projectRoot } from '../../../db/project-root.ts'
import { isApi } from './app.ts'

const clientFolder = join(projectRoot, 'dist/client')

/** Serves the built browser app: hashed assets for a year, and its document for every path that is a screen. */
export async function mountStatic(app: FastifyInstance): Promise<void> {
  const document = await readFile(join(clientFolder, 'index.html'), 'utf8')
  await app.register(fastifyStatic, {
    root: clientFolder,
    index: false,
    wildcard: false,
    globIgnore: ['index.html', '.vite/**'],
    setHeaders: (reply, path) => {
      void reply.header(
        'Cache-Control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })
  app.get('/*', (request, reply) => answerScreen(request, reply, document))
}

/** The app's document for a screen's path; the app itself says when there is no such screen. */
function answerScreen(request: FastifyRequest, reply: FastifyReply, document: string) {
  const path = request.url.split('?', 1)[0] ?? ''
  if (isApi(request.url) || /\.\w{1,8}$/.test(path)) return reply.callNotFound()
  return reply.header('Cache-Control', 'no-cache').type('text/html').send(document)
}
