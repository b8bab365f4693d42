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
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, document))
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply, document: string) {
  const isScreen =
    request.method === 'GET' && !isApi(request.url) && !/\.\w{1,8}$/.test(request.url.split('?')[0] ?? '')
  if (!isScreen) return reply.status(404).send({ error: 'Not found', requestId: request.id })
  return reply.header('Cache-Control', 'no-cache').type('text/html').send(document)
}
