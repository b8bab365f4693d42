import type { Page, Route } from '@playwright/test'

type Answer = { result?: { data: Record<string, unknown> } }

/** Lets the browser see one procedure's answers changed; all others of the same request stay as they are. */
export async function changeAnswer(
  page: Page,
  procedure: string,
  change: (data: Record<string, unknown>) => void,
): Promise<void> {
  const isAsked = (url: URL) => proceduresOf(url).includes(procedure)
  await page.route(isAsked, async route => {
    const response = await fetchWhole(route)
    const answers: Answer[] = await response.json()
    for (const [index, name] of proceduresOf(new URL(route.request().url())).entries()) {
      const data = answers[index]?.result?.data
      if (name === procedure && data) change(data)
    }
    // Without the server's name for it, by which the browser would later learn that it is unchanged.
    const { etag: _, ...headers } = response.headers()
    await route.fulfill({ response, headers, json: answers })
  })
}

/** Changes the site's names and settings as the browser receives them, in documents and in API answers. */
export async function changeSite(page: Page, change: (site: Record<string, unknown>) => void): Promise<void> {
  const changeData = (data: Record<string, unknown>) => change(data.site as Record<string, unknown>)
  await changeAnswer(page, 'site.get', changeData)
  await page.route('**/*', async route => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await fetchWhole(route)
    const { etag: _, ...headers } = response.headers()
    const body = (await response.text()).replace(siteData, (_, start, json, end) => {
      const data = JSON.parse(json)
      changeData(data.site)
      return `${start}${JSON.stringify(data).replaceAll('<', '\\u003c')}${end}`
    })
    await route.fulfill({ response, headers, body })
  })
}

const siteData = /(<script type="application\/json" id="site-data">)(.*?)(<\/script>)/s

/** The server's answer with all that is in it, also where the browser remembers it and asks only for what is new. */
export function fetchWhole(route: Route) {
  const { 'if-none-match': _, ...headers } = route.request().headers()
  return route.fetch({ headers })
}

/** What one procedure was sent so far by this page, call by call. */
export function recordInputs(page: Page, procedure: string): Record<string, unknown>[] {
  const inputs: Record<string, unknown>[] = []
  page.on('request', request => {
    const names = proceduresOf(new URL(request.url()))
    const body = request.postDataJSON()
    for (const [index, name] of names.entries()) if (name === procedure) inputs.push(body?.[index] ?? {})
  })
  return inputs
}

/** The addresses that this page asks for from now on. */
export function recordRequests(page: Page): string[] {
  const urls: string[] = []
  page.on('request', request => urls.push(request.url()))
  return urls
}

function proceduresOf({ pathname }: URL): string[] {
  return pathname.startsWith('/trpc/') ? pathname.slice('/trpc/'.length).split(',') : []
}
