import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { isAllowedLink } from '../../domain/content/content-blocks.ts'
import type { PageContent } from '../../domain/content/content-views.ts'
import { anyContent } from '../../testing/build-content.ts'
import { readDocument } from '../../testing/page-words.ts'
import { loadWebApp, template, withContent } from '../../testing/site-pages.ts'
import { testApp } from '../../testing/test-app.ts'
import { readPage, renderPage, type WebApp } from './pages.ts'

const publicPaths = ['/', '/contact', '/privacy', '/terms']
let web: WebApp
beforeAll(async () => {
  web = await loadWebApp()
})

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const decoded = (html: string) =>
  html.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? '')
/** Removes white space, and the ellipsis of a shortened review. */
const dense = (text: string) => text.toWellFormed().replaceAll(/[\s…]/gu, '')

/** The element names, URLs and tags in the HTML. */
function partsOf(html: string) {
  const markup = html.replaceAll(/(<script[^>]*>).*?<\/script>/gs, '$1')
  const tags = [...markup.matchAll(/<([a-z][\w-]*)[^>]*>/g)]
  const addresses = tags.flatMap(([tag]) =>
    [...tag.matchAll(/ (?:href|src|action|poster)="([^"]*)"/g)].map(([, address = '']) => decoded(address)),
  )
  return { elements: new Set(tags.map(([, name = '']) => name)), addresses, tags: tags.map(([tag]) => tag) }
}

/** All the texts of a page's content that the page shows. */
function textsOf({ content, page }: PageContent): string[] {
  if (page === 'home') {
    const { alt, map, note, picture, ...location } = content.location
    const shownMap = map === 'none' || (map === 'picture' && !picture) ? [] : [note]
    const onMap = map === 'picture' && picture ? [...shownMap, alt] : shownMap
    const { picture: __, alt: ___, ...hero } = content.hero
    // Without amenities the section is left out.
    const amenities = content.amenities.groups.length > 0 ? content.amenities : []
    return leaves([{ ...content, amenities, hero, location }, onMap])
  }
  return leaves(content)
}
const noText = new Set(['id', 'path', 'placeholder', 'icon', 'date', 'kind', 'background', 'map', 'href'])
function leaves(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return noText.has(name) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(each => leaves(each, name))
  return Object.entries(value ?? {}).flatMap(([key, each]) => leaves(each, key))
}

test('renders any content that can be saved as plain text, without new kinds of elements or URLs [SITE-02, PIC-13]', async () => {
  const app = await testApp()
  const known = new Set(['em', 'strong', 'ol', 'h3', 'h4'])
  const pageOf = async (deps: typeof app.deps, path: string) => {
    const data = (await readPage(web, path, { deps })) as { content: PageContent }
    const html = await renderPage(web, { path, data, origin: 'https://condo.example', template })
    return { content: data.content, html }
  }
  for (const path of publicPaths)
    for (const name of partsOf((await pageOf(app.deps, path)).html).elements) known.add(name)

  await fc.assert(
    fc.asyncProperty(anyContent, async words => {
      for (const path of publicPaths) {
        const { content, html } = await pageOf(withContent(app, words), path)
        const { head, words: shown } = readDocument(html)
        const found = dense(decoded(head + shown.join('')))
        for (const text of textsOf(content)) expect(found).toContain(dense(text))
        const { addresses, elements, tags } = partsOf(html)
        expect([...elements].filter(name => !known.has(name))).toEqual([])
        const isKnown = (address: string) =>
          /^(\/(?!\/)|#|https:\/\/condo\.example\/|https:\/\/www\.google\.com\/maps\/search\/|data:image\/)/.test(
            address,
          ) || /^(mailto|tel):/.test(address)
        const isOwners = (address: string) =>
          (content.page === 'privacy' || content.page === 'terms') && isAllowedLink(address)
        expect(addresses.filter(address => !isKnown(address) && !isOwners(address))).toEqual([])
        expect(html.match(/<script/g)).toHaveLength(path === '/' ? 3 : 2)
        for (const tag of tags.filter(each => each.startsWith('<img')))
          expect(tag).toMatch(
            /(?=.* width="\d+")(?=.* height="\d+")(?=.*background-image:url\(&quot;data:image)/,
          )
      }
    }),
    { numRuns: 8, seed: Number(process.env.SEED) },
  )
})
