import { gzipSync } from 'node:zlib'
import { isTooHeavy } from '../bench/page-weight.ts'
import { demoScreens, formScreens, inKib, logIn, measurePageLoad } from '../screens.ts'
import { expect, test } from './site.ts'

test.use({ siteEnv: { DEMO_SEED: 'on', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })
test.setTimeout(180_000)

/** Limit for the scripts that a public page loads before it is rendered. */
const maxEarlyScriptBytes = 6 * 1024

test('every screen stays within its budget for scripts and requests', async ({ browser, site: { url } }) => {
  const tokens = await logIn(url)
  const found: string[] = []
  for (const screen of [...(await demoScreens(url, tokens)), ...formScreens]) {
    const weight = await measurePageLoad(browser, url + screen.path, tokens[screen.login])
    if (isTooHeavy(screen, weight))
      found.push(`${screen.name}: ${inKib(weight.scriptBytes)} KiB of script, ${weight.requests} requests`)
  }
  expect(found).toEqual([])
})

/** The scripts that a document loads or preloads. */
async function namedScripts(url: string, path: string): Promise<string[]> {
  const html = await (await fetch(url + path)).text()
  return [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, file]) => file ?? '')
}

test('a public page loads little script before it is rendered', async ({ site: { url } }) => {
  for (const path of ['/', '/contact', '/privacy', '/terms']) {
    const files = await namedScripts(url, path)
    const sizes = await Promise.all(
      files.map(async file => gzipSync(await (await fetch(url + file)).arrayBuffer()).length),
    )
    expect(files.length, path).toBeGreaterThan(0)
    expect(
      sizes.reduce((sum, size) => sum + size, 0),
      path,
    ).toBeLessThanOrEqual(maxEarlyScriptBytes)
  }
})

test('the document of every other screen preloads the script of its page', async ({
  browser,
  site: { url },
}) => {
  const tokens = await logIn(url)
  const isPage = (file: string) => /-page-[^/]+\.js$/.test(file)
  const screens = [...(await demoScreens(url, tokens)), ...formScreens].filter(
    ({ path }) => path !== '/contact',
  )
  for (const { name, login, path } of screens) {
    const named = await namedScripts(url, path)
    expect(named.filter(isPage), name).toHaveLength(1)
    const { scripts } = await measurePageLoad(browser, url + path, tokens[login])
    expect(scripts.filter(isPage), name).toEqual(named.filter(isPage))
  }
})
