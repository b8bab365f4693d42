import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../db/open.ts'
import { rates } from '../../../db/schema.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { type TestApp, testApp, testNow } from '../../testing/test-app.ts'
import { mountPages, type WebApp } from './pages.ts'

const template =
  '<!doctype html><html><head><!--head--></head><body><div id="root"></div><script src="/app.js"></script></body></html>'
let web: WebApp
beforeAll(async () => {
  web = (await import('../../web/app/entry-server.tsx')) as WebApp
})

/** The app with its pages; counts the renders. */
async function siteWithPages(env: Record<string, string> = {}, overrides: Partial<WebApp> = {}) {
  const app = await testApp({ env })
  const rendered: string[] = []
  const counting: WebApp = {
    ...web,
    renderPage: page => {
      rendered.push((page as { path: string }).path)
      return web.renderPage(page)
    },
    ...overrides,
  }
  await mountPages(await app.fastify(), app.deps, {
    web: counting,
    templateOf: () => template,
  })
  return { app, rendered }
}

const get = async (app: TestApp, url: string, headers: Record<string, string> = {}) => {
  const response = await app.http.inject({ url, headers })
  return { ...response, html: response.body, status: response.statusCode, headers: response.headers }
}
const pageData = (html: string) =>
  JSON.parse(
    /<script type="application\/json" id="(?:page|site)-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '',
  )
const text = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replaceAll(/<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')

test('renders the home page shortly after the start, before the first request, and smaller pages before it [FIX-19]', async () => {
  const { app, rendered } = await siteWithPages()
  await app.listen()
  expect(rendered).toEqual([])
  const pages = ['/404', '/contact', '/']
  await vi.waitFor(() => expect(rendered).toEqual(pages), { timeout: 5000 })
  expect((await get(app, '/')).status).toBe(200)
  expect(rendered).toEqual(pages)
})

describe('a public page', () => {
  test('is a complete document with text, head and data', async () => {
    const { app } = await siteWithPages({ ORIGIN: 'https://condo.example', OWNER_EMAIL: 'owner@sea.example' })
    await app.as(await app.makeAdmin()).rates.create(buildRate({ period: 'Early spring' }))
    const { html, headers, status } = await get(app, '/?from=a-letter')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    expect(headers['x-robots-tag']).toBeUndefined()
    expect(text(html)).toContain('Wake up to the ocean')
    expect(text(html)).toContain('Early spring')
    expect(html).toContain('<title>Seaglass Shore Condo: two-bedroom beachfront vacation rental</title>')
    expect(html).toContain('<link rel="canonical" href="https://condo.example/"/>')
    expect(html).toMatch(/<meta name="description" content="[^"]{50,160}"/)
    expect(html).toContain('<meta property="og:image" content="https://condo.example/og-image.jpg"/>')
    expect(html).toMatch(/<link rel="preload" as="image"[^>]*hero/)
    expect(html).not.toContain('noindex')
    expect(pageData(html)).toMatchObject({ rates: { rates: [{ period: 'Early spring' }] } })

    expect(text((await get(app, '/contact')).html)).toContain('owner@sea.example')
    expect(text((await get(app, '/privacy')).html)).toContain('Effective September 2025')
    expect(text((await get(app, '/terms')).html)).toContain('Terms of Service')
  })

  test('has no inline scripts except data, and escapes names', async () => {
    const { app } = await siteWithPages({ PROPERTY_NAME: 'Sea </script><img src=x onerror=alert(1)>' })
    for (const [path, dataScripts] of [
      ['/', ['type="application/ld+json"', 'type="application/json" id="page-data"']],
      ['/login', ['type="application/json" id="site-data"']],
    ] as const) {
      const { html } = await get(app, path)
      const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes = '']) => attributes.trim())
      expect(scripts).toEqual([...dataScripts, 'src="/app.js"'])
      expect(html).not.toContain('<img src=x')
      expect(pageData(html).site.site.propertyName).toBe('Sea </script><img src=x onerror=alert(1)>')
    }
  })

  test('describes the rental and its prices to search engines, without sample reviews', async () => {
    const { app } = await siteWithPages({ ORIGIN: 'https://condo.example' })
    const admin = app.as(await app.makeAdmin())
    await admin.rates.create(
      buildRate({
        period: 'Summer',
        startDate: '2026-06-01',
        endDate: '2026-08-31',
        monthly: 3650.5,
        nightly: 190,
        weekly: null,
      }),
    )
    await admin.rates.create(
      buildRate({ period: 'Last year', startDate: '2025-06-01', endDate: '2025-08-31' }),
    )
    const { html } = await get(app, '/')
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
    expect(data).toMatchObject({
      '@type': 'VacationRental',
      name: 'Seaglass Shore Condo',
      containsPlace: { numberOfBedrooms: 2, occupancy: { value: 4 } },
    })
    expect(
      data.makesOffer.map((offer: { name: string; priceSpecification: { price: string } }) => [
        offer.name,
        offer.priceSpecification.price,
      ]),
    ).toEqual([
      ['Summer, per night', '190.00'],
      ['Summer, per month', '3650.50'],
    ])
    expect(data.image).toHaveLength(12)
    expect(JSON.stringify(data)).not.toMatch(/review|rating/i)
  })

  test('is sent compressed, or as 304 if the browser has it', async () => {
    const { app } = await siteWithPages()
    const plain = await get(app, '/terms')
    const brotli = await get(app, '/terms', { 'accept-encoding': 'gzip, deflate, br' })
    const zipped = await get(app, '/terms', { 'accept-encoding': 'gzip, br;q=0' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.html)
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.html)
    const again = await get(app, '/terms', { 'if-none-match': String(plain.headers.etag) })
    expect([again.status, again.html]).toEqual([304, ''])
  })
})

describe('a cached page', () => {
  test('is rendered once until a write, after which the next request gets the new data', async () => {
    const { app, rendered } = await siteWithPages()
    const admin = app.as(await app.makeAdmin())
    const rate = await admin.rates.create(buildRate({ period: 'Spring', monthly: 3000 }))
    const first = await get(app, '/')
    await get(app, '/')
    expect(rendered).toEqual(['/'])
    // A write that does not affect the page.
    await app.makeTenant()
    expect((await get(app, '/')).headers.etag).toBe(first.headers.etag)

    await admin.rates.update({ ...buildRate({ period: 'Spring' }), id: rate.rate.id, monthly: 3123 })
    const second = await get(app, '/')
    expect(text(second.html)).toContain('$3,123.00')
    expect(second.headers.etag).not.toBe(first.headers.etag)
    await admin.availability.setDate({ date: '2026-03-20', isAvailable: false, reason: 'Painting' })
    expect((await get(app, '/')).html).toContain('Painting')
    expect(rendered).toEqual(['/', '/', '/', '/'])
  })

  test('is rendered again after another process changes the database', async () => {
    const { app } = await siteWithPages()
    expect(text((await get(app, '/')).html)).toContain('No rates available at this time.')
    const other = openDatabase(app.deps.config.databaseFile)
    const outside = {
      period: 'From outside',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      minStay: 3,
      isActive: true,
    }
    other.db
      .insert(rates)
      .values({ ...outside, id: 'x', monthlyCents: 100_000, createdAt: testNow, updatedAt: testNow })
      .run()
    other.close()
    expect(text((await get(app, '/')).html)).toContain('From outside')
  })

  test('is rendered again after midnight at the property', async () => {
    const { app } = await siteWithPages({ PROPERTY_TIMEZONE: 'America/New_York' })
    const todayIn = (html: string) => pageData(html).site.site.today
    app.setNow('2026-03-05T04:59:00.000Z')
    expect(todayIn((await get(app, '/')).html)).toBe('2026-03-04')
    app.setNow('2026-03-05T05:00:00.000Z')
    expect(todayIn((await get(app, '/')).html)).toBe('2026-03-05')
  })

  test('is rendered once for concurrent requests', async () => {
    const { app, rendered } = await siteWithPages()
    await Promise.all(Array.from({ length: 20 }, () => get(app, '/')))
    expect(rendered).toEqual(['/'])
  })
})

test('lets the browser render a page when the server fails to, and tries again on the next request', async () => {
  let broken = true
  const { app } = await siteWithPages(
    {},
    {
      readPage: async (path, ask) => {
        if (broken) throw new Error('the disk is gone')
        return web.readPage(path, ask)
      },
    },
  )
  for (const path of ['/', '/login']) {
    const first = await get(app, path)
    expect(first.status).toBe(200)
    expect(first.headers['cache-control']).toBe('no-store')
    expect(first.html).toContain('<div id="root"></div>')
  }
  broken = false
  expect(text((await get(app, '/')).html)).toContain('Wake up to the ocean')
  expect(text((await get(app, '/login')).html)).toContain('Loading...')
})

test('serves other screens with header, title and loading message, unindexed, and unknown paths as 404', async () => {
  const { app } = await siteWithPages()
  const ofLinks = ['/stay', '/reply', '/review', '/sign', '/offer']
  for (const path of ['/login', '/dashboard', '/application/a', '/admin/payment/history/a', ...ofLinks]) {
    const { status, headers, html } = await get(app, path)
    expect([path, status, headers['x-robots-tag']]).toEqual([path, 200, 'noindex'])
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    expect(text(html)).toMatch(/Seaglass Shore Condo.*Loading\.\.\./s)
    expect(html).not.toContain('page-data')
  }
  expect((await get(app, '/login')).html).toContain('<title>Login | Seaglass Shore Condo</title>')
  expect((await get(app, '/nowhere')).html).toContain('<title>Page not found | Seaglass Shore Condo</title>')
  for (const path of ['/nowhere', '/admin', '/application/a/b', '//', '/contact/more']) {
    const { status, headers } = await get(app, path)
    expect([path, status, headers['x-robots-tag']]).toEqual([path, 404, 'noindex'])
  }
  expect((await get(app, '/missing.png')).headers['content-type']).toContain('application/json')
})

test('robots.txt, sitemap and manifest contain this site’s name and origin', async () => {
  const app = await testApp({ env: { ORIGIN: 'https://condo.example', PROPERTY_NAME: 'Sea House' } })
  const [robots, sitemap, manifest] = await Promise.all(
    ['/robots.txt', '/sitemap.xml', '/site.webmanifest'].map(url => app.http.inject({ url })),
  )
  expect(robots?.body).toContain('Sitemap: https://condo.example/sitemap.xml')
  expect([...(sitemap?.body.matchAll(/<loc>(.*?)<\/loc>/g) ?? [])].map(([, address]) => address)).toEqual([
    'https://condo.example/',
    'https://condo.example/contact',
    'https://condo.example/privacy',
    'https://condo.example/terms',
  ])
  expect(manifest?.json()).toMatchObject({ name: 'Sea House', start_url: '/' })
  expect(manifest?.headers['cache-control']).toBe('no-cache')
  const known = { 'if-none-match': String(manifest?.headers.etag) }
  expect((await app.http.inject({ url: '/site.webmanifest', headers: known })).statusCode).toBe(304)
})
