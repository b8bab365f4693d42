import { StrictMode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { isPublicPath } from '../../domain/content/public-pages.ts'
import { App } from './app.tsx'
import { documentTitle, findScreen } from './routing/screen-table.ts'
import { documentHead, jsonForHtml, plainHead } from './ssr/document-head.tsx'
import type { PageData, SiteData } from './ssr/page-data.ts'

export { screenSources } from './routing/screen-table.ts'
export { readPage } from './ssr/read-page.ts'

/** The pattern of a screen's path, such as `/application/:id`; undefined if there is no such screen. */
export const screenPattern = (path: string) => findScreen(path)?.pattern

type Page = { path: string; data: SiteData | PageData; origin: string }

/**
 * Renders a screen to HTML: its part of the head, and its body with the data as JSON. Public pages are rendered
 * completely, other screens in the state they have while their code and the session load.
 */
export async function renderPage({ path, data, origin }: Page): Promise<{ head: string; body: string }> {
  const html = await renderApp(path, data)
  const isPublic = isPublicPath(path)
  const { site } = data.site
  const id = isPublic ? 'page-data' : 'site-data'
  return {
    head:
      isPublic && 'content' in data
        ? documentHead({ path, data, origin })
        : plainHead(isPublic ? site.companyName : documentTitle(path, site)),
    body: `<div id="root">${html}</div><script type="application/json" id="${id}">${jsonForHtml(data)}</script>`,
  }
}

async function renderApp(path: string, data: SiteData): Promise<string> {
  let failure: unknown
  const stream = await renderToReadableStream(
    <StrictMode>
      <App ssrPath={path} page={data} />
    </StrictMode>,
    {
      // In one chunk: React's later chunks need inline scripts, which the site's CSP forbids.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: error => {
        failure = error
      },
    },
  )
  await stream.allReady
  const html = await new Response(stream).text()
  if (failure) throw failure
  return html
}
