import type { Page } from '@playwright/test'

type BatchResult = { result?: { data: Record<string, unknown> } }

/** Changes the responses of one procedure on their way to the browser, but not the others in the same batch. */
export async function changeResponse(
  page: Page,
  procedure: string,
  change: (data: Record<string, unknown>) => void,
): Promise<void> {
  const isAsked = (url: URL) => proceduresOf(url).includes(procedure)
  await page.route(isAsked, async route => {
    const response = await route.fetch()
    const results: BatchResult[] = await response.json()
    for (const [index, name] of proceduresOf(new URL(route.request().url())).entries()) {
      const data = results[index]?.result?.data
      if (name === procedure && data) change(data)
    }
    await route.fulfill({ response, json: results })
  })
}

/** Changes the site's names and settings on their way to the browser, in documents and in API responses. */
export async function changeSite(page: Page, change: (site: Record<string, unknown>) => void): Promise<void> {
  const changeData = (data: Record<string, unknown>) => change(data.site as Record<string, unknown>)
  await changeResponse(page, 'site.get', changeData)
  await page.route('**/*', async route => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    // Without a condition and an ETag, so that the browser never uses the document that it has cached.
    const { 'if-none-match': _, ...given } = route.request().headers()
    const response = await route.fetch({ headers: given })
    const { etag: __, ...headers } = response.headers()
    const body = (await response.text()).replace(siteData, (_, start, json, end) => {
      const data = JSON.parse(json)
      changeData(data.site)
      return `${start}${JSON.stringify(data).replaceAll('<', '\\u003c')}${end}`
    })
    await route.fulfill({ response, headers, body })
  })
}

const siteData = /(<script type="application\/json" id="site-data">)(.*?)(<\/script>)/s

/** Records the input of each call to a procedure from now on. */
export function recordInputs(page: Page, procedure: string): Record<string, unknown>[] {
  const inputs: Record<string, unknown>[] = []
  page.on('request', request => {
    const names = proceduresOf(new URL(request.url()))
    const body = request.postDataJSON()
    for (const [index, name] of names.entries()) if (name === procedure) inputs.push(body?.[index] ?? {})
  })
  return inputs
}

/** Records the URLs that this page requests from now on. */
export function recordRequests(page: Page): string[] {
  const urls: string[] = []
  page.on('request', request => urls.push(request.url()))
  return urls
}

function proceduresOf({ pathname }: URL): string[] {
  return pathname.startsWith('/trpc/') ? pathname.slice('/trpc/'.length).split(',') : []
}
