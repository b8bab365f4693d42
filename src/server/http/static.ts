import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { projectRoot } from '../../../db/project-root.ts'
import { isPublicPath } from '../../domain/content/public-pages.ts'
import type { Deps } from '../kernel/deps.ts'
import { mountPages, type WebApp } from './pages.ts'

const clientFolder = join(projectRoot, 'dist/client')
const yearSeconds = 31_536_000
const hourSeconds = 3600
const styleLink = /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/

/** Serves the built browser app: its precompressed files and its pages. */
export async function mountStatic(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientFolder,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['index.html', '.vite/**', '**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      // File names in these folders contain a content hash.
      const isHashed = /[\\/](assets|pictures)[\\/]/.test(path.slice(clientFolder.length))
      void reply
        .header('Vary', 'Accept-Encoding')
        .header(
          'Cache-Control',
          isHashed ? `public, max-age=${yearSeconds}, immutable` : `public, max-age=${hourSeconds}`,
        )
    },
  })
  const [template, manifestJson, web] = await Promise.all([
    readFile(join(clientFolder, 'index.html'), 'utf8'),
    readFile(join(clientFolder, '.vite/manifest.json'), 'utf8'),
    // The server's only link to the browser app: the path of its server entry in the build output.
    import(pathToFileURL(join(projectRoot, 'dist/server/entry-server.js')).href) as Promise<WebApp>,
  ])
  const manifest: Manifest = JSON.parse(manifestJson)
  const withoutFiles = withFonts(template, manifest)
  const publicTemplate = scriptsLast(withFonts(await withStyles(template), manifest))
  await mountPages(app, deps, {
    web,
    templateOf: path =>
      isPublicPath(path)
        ? publicTemplate
        : scriptsLast(withFiles(withoutFiles, filesOf(manifest, web.screenSources(path)))),
  })
}

/**
 * Preloads all files of a screen that the browser renders. The screens of tenants and the owner have one style sheet,
 * which includes the core styles and replaces their link.
 */
function withFiles(template: string, files: ReadonlySet<string>): string {
  const styles = [...files].find(file => file.endsWith('.css'))
  const links = [...files]
    .filter(file => file !== styles && !template.includes(file))
    .map(file => `<link rel="modulepreload" crossorigin href="${file}">`)
  return template
    .replace('<!--head-->', () => `<!--head-->${links.join('')}`)
    .replace(styleLink, (link, href) => (styles ? link.replace(href, styles) : link))
}

/** Inline styles save a round trip before the first paint. */
async function withStyles(template: string): Promise<string> {
  const [link = '', href = ''] = styleLink.exec(template) ?? []
  const styles = await readFile(join(clientFolder, href), 'utf8')
  return template.replace(link, () => `<style>${styles}</style>`)
}

/** Scripts get a low priority: the server's HTML is painted without them. */
function scriptsLast(template: string): string {
  return template.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
}

/** Preloads fonts, so that the text does not change visibly when they arrive. */
function withFonts(template: string, manifest: Manifest): string {
  const links = ['text', 'display'].map(name => {
    const font = manifest[`src/web/app/fonts/${name}.woff2`]?.file
    if (!font) throw new Error(`the build has no font "${name}"`)
    return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`
  })
  return template.replace('<!--head-->', () => `<!--head-->${links.join('')}`)
}

/** Vite's manifest: the output file of each source, and its imports. */
type Manifest = Record<string, { file: string; imports?: string[] }>

/** The built files of these sources and of all their imports. */
function filesOf(manifest: Manifest, sources: readonly string[], found = new Set<string>()): Set<string> {
  for (const source of sources) {
    const chunk = manifest[source]
    if (!chunk) throw new Error(`the build has no file of "${source}"`)
    if (found.has(`/${chunk.file}`)) continue
    found.add(`/${chunk.file}`)
    filesOf(manifest, chunk.imports ?? [], found)
  }
  return found
}
