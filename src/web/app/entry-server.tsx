import { StrictMode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { App } from './app.tsx'
import type { PublicPath } from './routing/public-pages.ts'
import { documentHead, jsonForHtml } from './ssr/document-head.tsx'
import type { PageData } from './ssr/page-data.ts'

export { isPublicPath, publicPages } from './routing/public-pages.ts'
export { screenSources } from './routing/screen-files.ts'
export { screenTitle } from './routing/titles.ts'
export { readPageData as readPage } from './ssr/page-data.ts'

type Page = { path: PublicPath; data: PageData; origin: string }

/** A public page as HTML: the page's part of the head, and its body with the data. */
export async function renderPage(page: Page): Promise<{ head: string; body: string }> {
  const { path, data } = page
  let failure: unknown
  const stream = await renderToReadableStream(
    <StrictMode>
      <App ssrPath={path} page={data} />
    </StrictMode>,
    {
      // In one piece: React's later chunks need inline scripts, which the site forbids.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: error => {
        failure = error
      },
    },
  )
  await stream.allReady
  const html = await new Response(stream).text()
  if (failure) throw failure
  return {
    head: documentHead(page),
    body: `<div id="root">${html}</div><script type="application/json" id="page-data">${jsonForHtml(data)}</script>`,
  }
}
