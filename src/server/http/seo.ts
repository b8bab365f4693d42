import type { FastifyInstance } from 'fastify'
import type { Config } from '../kernel/config.ts'

const publicPaths = ['/', '/contact', '/privacy', '/terms']
const cacheControl = 'public, max-age=3600'

/** What search engines and home screens ask for beside the pages. */
export function mountSeo(app: FastifyInstance, { origin, site }: Config): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .header('Cache-Control', cacheControl)
      .type('text/plain; charset=utf-8')
      // The screens behind a login are kept out by their own `noindex`, which has to be read to work.
      .send(`User-agent: *\nDisallow: /api/\nDisallow: /trpc/\n\nSitemap: ${origin}/sitemap.xml\n`),
  )
  app.get('/sitemap.xml', (_request, reply) =>
    reply
      .header('Cache-Control', cacheControl)
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${publicPaths
          .map(path => `  <url><loc>${origin}${path}</loc></url>\n`)
          .join('')}</urlset>\n`,
      ),
  )
  app.get('/site.webmanifest', (_request, reply) =>
    reply
      .header('Cache-Control', cacheControl)
      .type('application/manifest+json; charset=utf-8')
      .send(
        JSON.stringify({
          name: site.propertyName,
          short_name: site.propertyName.slice(0, 30),
          start_url: '/',
          display: 'browser',
          background_color: '#faf8f3',
          theme_color: '#1e3552',
          icons: [
            { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
            { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
            { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          ],
        }),
      ),
  )
}
