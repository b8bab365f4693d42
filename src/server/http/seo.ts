import type { FastifyInstance } from 'fastify'
import { publicPages } from '../../domain/content/public-pages.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'
import { etagOf, isNotModified } from './encodings.ts'

/** Serves robots.txt, the sitemap and the web manifest. */
export function mountSeo(app: FastifyInstance, deps: Deps): void {
  const { origin } = deps.config
  const serve = (path: string, type: string, text: string) =>
    app.get(path, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=3600').type(`${type}; charset=utf-8`).send(text),
    )
  // Screens behind a login have `noindex` instead of Disallow, because crawlers must load a page to see `noindex`.
  const robots = `User-agent: *\nDisallow: /api/\nDisallow: /trpc/\n\nSitemap: ${origin}/sitemap.xml\n`
  const urls = Object.keys(publicPages)
    .map(path => `  <url><loc>${origin}${path}</loc></url>\n`)
    .join('')
  serve('/robots.txt', 'text/plain', robots)
  serve(
    '/sitemap.xml',
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>\n`,
  )
  // Contains the property's name, which the owner can change at any time (SITE-22).
  app.get('/site.webmanifest', (request, reply) => {
    const manifest = JSON.stringify(manifestOf(currentSite(deps)))
    const etag = etagOf(manifest)
    reply.header('Cache-Control', 'no-cache').header('ETag', etag)
    if (isNotModified(request, etag)) return reply.status(304).send()
    return reply.type('application/manifest+json; charset=utf-8').send(manifest)
  })
}

const manifestOf = ({ propertyName }: { propertyName: string }) => ({
  name: propertyName,
  short_name: propertyName.slice(0, 30),
  start_url: '/',
  display: 'browser',
  background_color: '#faf8f3',
  theme_color: '#1e3552',
  icons: [
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  ],
})
