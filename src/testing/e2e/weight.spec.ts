import { gzipSync } from 'node:zlib'
import { isPublicPath, publicPages } from '../../domain/content/public-pages.ts'
import { isTooHeavy } from '../bench/page-weight.ts'
import { demoScreens, formScreens, inKib, logIn, measurePageLoad } from '../screens.ts'
import { expect, test } from './site.ts'

test.use({ siteEnv: { DEMO_SEED: 'on', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })
test.setTimeout(300_000)

/** Limit for the scripts that a public page loads before it is rendered. */
const maxEarlyScriptBytes = 6 * 1024

test('every screen stays within its budget for scripts and requests, and its document preloads its page alone [STAY-32]', async ({
  browser,
  site: { url },
}) => {
  const tokens = await logIn(url)
  const isPage = (file: string) => /-page-[^/]+\.js$/.test(file)
  const found: string[] = []
  for (const screen of [...(await demoScreens(url, tokens)), ...formScreens]) {
    const { name, path, login } = screen
    const weight = await measurePageLoad(browser, url + path, tokens[login])
    if (isTooHeavy(screen, weight))
      found.push(`${name}: ${inKib(weight.scriptBytes)} KiB of script, ${weight.requests} requests`)
    if (isPublicPath(path)) continue
    const named = (await namedScripts(url, path)).filter(isPage)
    expect(named, name).toHaveLength(1)
    expect(weight.scripts.filter(isPage), name).toEqual(named)
  }
  expect(found).toEqual([])
  for (const path of Object.keys(publicPages)) {
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

/** The scripts that a document loads or preloads. */
async function namedScripts(url: string, path: string): Promise<string[]> {
  const html = await (await fetch(url + path)).text()
  return [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, file]) => file ?? '')
}
