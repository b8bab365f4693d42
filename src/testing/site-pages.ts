import type { Tx } from '../../db/open.ts'
import { parsedTexts } from '../../db/schema.ts'
import type { SiteContent } from '../domain/content/content.ts'
import { mountPages, type WebApp } from '../server/http/pages.ts'
import { nowIso } from '../server/kernel/deps.ts'
import { keyOf, parseStoredTexts } from '../server/site/content/parsed-texts.ts'
import { environmentIdentity } from '../server/site/content/published.ts'
import { shippedContent } from '../server/site/content/shipped-content.ts'
import { insertVersion } from '../server/site/editor/records.ts'
import { parseMarkdown } from '../server/workers/parse-markdown.ts'
import { buildContent } from './build-content.ts'
import { type TestApp, testApp } from './test-app.ts'

/** Like the build's index.html, without its styles and scripts. */
export const template =
  '<!doctype html><html><head><!--head--></head><body><div id="root"></div><script src="/app.js"></script></body></html>'

export const loadWebApp = async (): Promise<WebApp> => (await import('../web/app/entry-server.tsx')) as WebApp

/** The app with its server-rendered pages; `get` returns a document. */
export async function siteWithPages(options: Parameters<typeof testApp>[0] = {}) {
  const app = await testApp(options)
  const web = await loadWebApp()
  await mountPages(await app.fastify(), app.deps, {
    web,
    templateOf: () => template,
  })
  const get = (url: string) => app.http.inject({ url })
  return { app, get }
}

/** Publishes the shipped content with some sections changed. */
export async function publishContent({ deps, makeAdmin }: TestApp, changes: Partial<SiteContent>) {
  const { userId: actorId } = await makeAdmin()
  const document = { ...shippedContent, ...changes }
  await deps.write(tx =>
    insertVersion(tx, { at: nowIso(deps), actorId, note: '', source: 'publish', changed: [] }, document),
  )
  await parseStoredTexts(deps)
}

/** The dependencies with the shipped content, with some sections changed. */
export function withContent({ deps }: TestApp, changes: Partial<SiteContent>): TestApp['deps'] {
  const content = buildContent({ identity: environmentIdentity(deps.config), ...changes })
  for (const { text } of [content.privacy, content.terms])
    (deps.db as unknown as Tx)
      .insert(parsedTexts)
      .values({ key: keyOf(text), blocks: parseMarkdown(text).blocks })
      .onConflictDoNothing()
      .run()
  return { ...deps, siteContent: () => ({ version: 1, document: content, content, unreadable: [] }) }
}
