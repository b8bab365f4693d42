import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { applications, reviews as guestReviews } from '../../../db/schema.ts'
import { paragraphsOf } from '../../domain/content/content-text.ts'
import { makeBooking } from '../../testing/build-application.ts'
import { buildContent } from '../../testing/build-content.ts'
import { databaseBefore } from '../../testing/old-database.ts'
import { readDocument } from '../../testing/page-words.ts'
import { publishContent, siteWithPages } from '../../testing/site-pages.ts'
import { testOrigin, visitor } from '../../testing/test-app.ts'
import { testFolder } from '../../testing/test-folder.ts'

const shipped = buildContent()
const publicPaths = ['/', '/contact', '/privacy', '/terms']
const searchData = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
const wordsOf = (html: string) => readDocument(html).words.join('\n')

test('a new and an upgraded database show the same pages, with the shipped text [SITE-01]', async () => {
  const former = join(testFolder(), 'former.sqlite')
  databaseBefore('0012_site_content', former).close()
  const pagesOf = async (env: Record<string, string>) => {
    const { get } = await siteWithPages({ env })
    const pages = publicPaths.map(async path => readDocument((await get(path)).body))
    return [...(await Promise.all(pages)), (await get('/site.webmanifest')).body]
  }
  const shown = await pagesOf({})
  expect(await pagesOf({ DATABASE_FILE: former })).toEqual(shown)
  const { amenities, facts, gallery, hero, overview, reviews } = shipped
  const texts = [
    hero.headline,
    ...facts.items.map(({ text }) => text),
    ...paragraphsOf(overview.intro),
    ...gallery.pictures.flatMap(({ alt, caption }) => [alt, caption]),
    ...amenities.groups.flatMap(({ items }) => items),
    ...reviews.reviews.map(({ title }) => title),
  ]
  const home = JSON.stringify(shown[0])
  expect(texts.filter(text => !home.includes(JSON.stringify(text).slice(1, -1)))).toEqual([])
})

describe('published content', () => {
  test('is on the pages, in the documents of other screens, the manifest and the API with the next request [SITE-22]', async () => {
    const { app, get } = await siteWithPages()
    const read = async () => {
      const paths = [...publicPaths, '/login', '/site.webmanifest', '/api/site/content']
      const answers = await Promise.all(paths.map(async path => [path, await get(path)] as const))
      return Object.fromEntries(
        answers.map(([path, { body, headers }]) => [path, { body, etag: headers.etag }]),
      )
    }
    const before = await read()
    await publishContent(app, {
      identity: {
        ...shipped.identity,
        companyName: 'Dune House LLC',
        propertyName: 'Dune House',
        propertyAddress: '9 Dune Road, Bay, FL 30000',
        ownerEmail: 'new@dune.example',
        ownerPhone: '+1 850 555 0100',
      },
      search: { title: 'a house behind the dunes', description: 'A house by the sea, behind the dunes.' },
      facts: { ...shipped.facts, sleeps: 6 },
    })
    const after = await read()
    for (const path of Object.keys(before)) {
      expect(after[path]?.body).toContain('Dune House')
      expect(after[path]?.etag).not.toBe(before[path]?.etag)
    }
    const home = after['/']?.body ?? ''
    expect(home).toContain('<title>Dune House: a house behind the dunes</title>')
    expect(home).toContain('<meta name="description" content="A house by the sea, behind the dunes."/>')
    expect(searchData(home)).toMatchObject({
      name: 'Dune House',
      email: 'new@dune.example',
      containsPlace: { occupancy: { value: 6 } },
    })
    for (const path of publicPaths) {
      const words = wordsOf(after[path]?.body ?? '')
      for (const part of ['Dune House LLC', '9 Dune Road, Bay, FL 30000', 'mailto:new@dune.example'])
        expect(words).toContain(part)
    }
    expect(after['/login']?.body).toContain('<title>Login | Dune House</title>')
    expect((await app.as(visitor).site.get()).site).toMatchObject({
      guestLimit: 6,
      propertyName: 'Dune House',
    })
  })

  test('does not include the draft: saving a draft changes no response [SITE-19]', async () => {
    const { app, get } = await siteWithPages()
    const admin = app.as(await app.makeAdmin())
    const paths = [...publicPaths, '/login', '/site.webmanifest', '/api/site/content']
    const read = () =>
      Promise.all(paths.map(async path => [(await get(path)).headers.etag, (await get(path)).body]))
    const before = await read()
    const body = { ...shipped.hero, headline: 'Not yet for everybody' }
    await admin.editor.saveSection({ section: 'hero', version: 0, body })
    expect(await read()).toEqual(before)
  })
})

test('returns the ways to pay to signed-in users only, and shows them on no public page [SITE-16]', async () => {
  const { app, get } = await siteWithPages()
  const tenant = { role: 'tenant', userId: 'somebody', requestOrigin: testOrigin } as const
  const { waysToPay } = await app.as(tenant).site.waysToPay()
  expect(waysToPay.map(({ name }) => name)).toEqual(shipped.waysToPay.ways.map(({ name }) => name))
  expect(JSON.stringify(waysToPay)).toContain(app.deps.config.site.ownerEmail)
  expect(JSON.stringify(waysToPay)).not.toMatch(/[{]\w+[}]/)
  await expect(app.as(visitor).site.waysToPay()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  for (const path of [...publicPaths, '/api/site/content?page=contact'])
    expect((await get(path)).body).not.toMatch(/Zelle|Venmo/)
})

describe('reviews', () => {
  const review = {
    id: 'r',
    name: 'Ada Shore',
    rating: 4,
    date: '2026-02-01',
    title: 'Real sand',
    content: 'We were really there.',
    stayed: 'January 2026',
    verified: true,
    sample: false,
    applicationId: 'application-of-ada',
  }
  const [sample] = shipped.reviews.reviews
  if (!sample) throw new Error('no reviews')
  const withReviews = async (reviews: (typeof review)[]) => {
    const { app, get } = await siteWithPages()
    await publishContent(app, { reviews: { title: 'What guests say', reviews } })
    return { home: (await get('/')).body, api: (await get('/api/site/content')).body }
  }

  test('shows a message when there are no reviews [SITE-10]', async () => {
    const { home } = await withReviews([])
    expect(wordsOf(home)).toContain('No reviews yet.')
    expect(wordsOf(home)).not.toContain('out of 5')
    expect(JSON.stringify(searchData(home))).not.toMatch(/review|rating/i)
  })

  test('counts only real reviews and lists only them in search data; labels samples [SITE-10, SITE-12, SITE-13]', async () => {
    const { api, home } = await withReviews([sample as typeof review, review])
    expect(home.match(/>Sample</g)).toHaveLength(1)
    expect(wordsOf(home)).toContain('4.0 out of 5 stars on average')
    const { aggregateRating, review: listed } = searchData(home)
    expect(aggregateRating).toMatchObject({ ratingValue: '4.0', reviewCount: 1 })
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Real sand'])
    for (const text of [home, api]) expect(text).not.toMatch(/applicationId|application-of-ada/)
  })

  test('of guests’ reviews search data counts those that are hidden and lists the ten newest; the page needs nothing more for them [REVIEW-12, REVIEW-14]', async () => {
    const { app, get } = await siteWithPages()
    const filesOf = (html: string) =>
      [...html.matchAll(/(?:src|href|srcSet)="([^"#]+)"/gi)].map(([, url]) => url)
    const before = filesOf((await get('/')).body)
    const { id } = await makeBooking(app, await app.makeTenant(), await app.makeAdmin())
    await app.deps.write(tx => {
      const stay = tx.select().from(applications).where(eq(applications.id, id)).get()
      for (let day = 1; stay && day <= 13; day++) {
        const applicationId = `stay-${day}`
        const at = `2026-01-${day + 10}T12:00:00.000Z`
        tx.insert(applications)
          .values({ ...stay, id: applicationId, number: `APP-2026-90${day}`, requestId: applicationId })
          .run()
        tx.insert(guestReviews)
          .values({
            applicationId,
            rating: day === 13 ? 1 : 5,
            title: `Title ${day}`,
            text: `We were there on day ${day}. </script><b>`,
            name: 'first',
            state: day === 13 ? 'hidden' : 'published',
            version: 1,
            createdAt: at,
            publishedAt: at,
          })
          .run()
      }
    })
    const home = (await get('/')).body
    const { aggregateRating, review: listed } = searchData(home)
    expect(aggregateRating).toMatchObject({ ratingValue: '4.7', ratingCount: 13, reviewCount: 12 })
    const titles = Array.from({ length: 10 }, (_, at) => `Title ${12 - at}`)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(titles)
    expect(listed[0].reviewBody).toBe('We were there on day 12. </script><b>')
    // Without a script, it reads all of them.
    const words = wordsOf(home)
    for (let day = 1; day <= 12; day++)
      expect(words).toContain(`We were there on day ${day}. &lt;/script&gt;`)
    expect(filesOf(home)).toEqual(before)
  })
})

test('shows house rules after the amenities if the owner enables them, without a tab [SITE-15]', async () => {
  const { app, get } = await siteWithPages()
  expect((await get('/')).body).not.toContain('id="house-rules"')
  await publishContent(app, { houseRules: { showOnPage: true, rules: ['No parties, not even small ones.'] } })
  const html = (await get('/')).body
  const ids = [...html.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id)
  expect(ids.slice(ids.indexOf('amenities'))).toEqual(['amenities', 'house-rules', 'reviews', 'location'])
  expect(wordsOf(html)).toContain('House rules\nNo parties, not even small ones.')
  expect(html).not.toContain('href="#house-rules"')
})

test('shows the note on computer renders depending on the pictures of each page [PIC-17]', async () => {
  const { contact, gallery, hero, overview } = shipped
  const all =
    'The pictures and videos on this page are computer renders of a condo like this one, not photographs.'
  const some =
    'Some of the pictures on this page are computer renders of a condo like this one, not photographs.'
  const mine = (count: number) => ({
    ...gallery,
    pictures: gallery.pictures
      .slice(0, 2)
      .map((each, i) => (i < count ? { ...each, picture: `mine-${i}` } : each)),
  })
  const ownHome = {
    hero: { ...hero, picture: 'mine' },
    overview: { ...overview, picture: 'mine' },
    gallery: mine(2),
  }
  const { app, get } = await siteWithPages()
  const notesWith = async (changes: Parameters<typeof publishContent>[1]) => {
    await publishContent(app, changes)
    return Promise.all(
      ['/', '/contact'].map(async path => /[^>]*computer renders[^<]*/.exec((await get(path)).body)?.[0]),
    )
  }
  expect(await notesWith({})).toEqual([all, all])
  expect(await notesWith({ gallery: mine(1) })).toEqual([some, all])
  expect(await notesWith(ownHome)).toEqual([undefined, all])
  const ownContact = { ...contact, background: 'picture' as const, picture: 'mine' }
  expect(await notesWith({ ...ownHome, contact: ownContact })).toEqual([undefined, undefined])
})

describe('a preview', () => {
  async function openPreview() {
    const { app, get } = await siteWithPages()
    const maker = await app.makeAdmin()
    const admin = app.as(maker)
    const body = { ...shipped.hero, headline: 'Only in the draft' }
    await admin.editor.saveSection({ section: 'hero', version: 0, body })
    const identity = { ...shipped.identity, propertyName: 'Draft House' }
    await admin.editor.saveSection({ section: 'identity', version: 0, body: identity })
    const { url } = await admin.editor.previewLink()
    const token = new URL(url, 'http://localhost').searchParams.get('preview') ?? ''
    return { app, admin, maker, get, token }
  }

  test('shows the draft on the four pages, and its links keep the token [SITE-28]', async () => {
    const { get, token } = await openPreview()
    for (const path of publicPaths) {
      const { body, headers, statusCode } = await get(`${path}?preview=${token}`)
      expect(statusCode).toBe(200)
      expect(wordsOf(body)).toContain('Preview of the draft. Visitors do not see this.')
      expect(wordsOf(body)).toContain('Draft House')
      expect(body).toContain(`href="/terms?preview=${token}"`)
      expect(body).toContain('href="/login"')
      expect(body).toContain(`"preview":"${token}"`)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      expect(headers.etag).toBeUndefined()
    }
    expect(wordsOf((await get(`/?preview=${token}`)).body)).toContain('Only in the draft')
  })

  test('is never cached, and changes nothing [SITE-29]', async () => {
    const { app, get, token } = await openPreview()
    const version = app.deps.dataVersion()
    const before = await get('/')
    await get(`/?preview=${token}`)
    const after = await get('/')
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(after.body).toBe(before.body)
    expect(after.body).not.toContain('Only in the draft')
    expect(after.body).not.toContain('Preview of the draft')
    expect((await get('/login?preview=none')).body).not.toContain('Draft House')
    expect(app.deps.dataVersion()).toBe(version)
  })

  test('has ended if its token is unknown, empty, repeated or older than 30 minutes [SITE-30]', async () => {
    const { app, get, token } = await openPreview()
    const expectEnded = async (query: string) => {
      for (const path of publicPaths) {
        const { body, headers, statusCode } = await get(`${path}?preview=${query}`)
        expect([query, statusCode]).toEqual([query, 404])
        expect(body).toContain('This preview has ended. Open a new one from the editor.')
        expect(body).not.toMatch(/Seaglass|Draft House|id="root"/)
        expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      }
    }
    for (const query of ['x'.repeat(43), '', `${token}&preview=${token}`]) await expectEnded(query)
    expect((await get(`/?preview=${token}`)).statusCode).toBe(200)
    app.advance(30 * 60_000 + 1)
    await expectEnded(token)
  })
})
