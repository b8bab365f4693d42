import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { projectRoot } from '../../../db/project-root.ts'
import type { Deps } from '../deps.ts'
import { mountPages, type WebApp } from './pages.ts'

const clientFolder = join(projectRoot, 'dist/client')
const yearSeconds = 31_536_000
const hourSeconds = 3600

/** Serves the built browser app: its files, compressed beforehand, and its pages. */
export async function mountStatic(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientFolder,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['index.html', '.vite/**', '**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      // The names in these folders carry a hash of the content.
      const isHashed = /[\\/](assets|pictures)[\\/]/.test(path.slice(clientFolder.length))
      void reply.header(
        'Cache-Control',
        isHashed ? `public, max-age=${yearSeconds}, immutable` : `public, max-age=${hourSeconds}`,
      )
    },
  })
  const [template, manifest, web] = await Promise.all([
    readFile(join(clientFolder, 'index.html'), 'utf8'),
    readFile(join(clientFolder, '.vite/manifest.json'), 'utf8'),
    // The one way from the server to the browser app: its server part, built beside this file, by its name.
    import(pathToFileURL(join(projectRoot, 'dist/server/entry-server.js')).href) as Promise<
      WebApp & { pageSources: Record<string, string> }
    >,
  ])
  const files: Manifest = JSON.parse(manifest)
  await mountPages(app, deps, {
    web,
    template,
    scriptsOf: path =>
      [...importsOf(files, web.pageSources[path] ?? '')].filter(file => !template.includes(file)),
  })
}

/** Vite's list of the files it made from each source, and what they import. */
type Manifest = Record<string, { file: string; imports?: string[] }>

function importsOf(manifest: Manifest, source: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[source]
  if (!chunk || found.has(`/${chunk.file}`)) return found
  found.add(`/${chunk.file}`)
  for (const imported of chunk.imports ?? []) importsOf(manifest, imported, found)
  return found
}
