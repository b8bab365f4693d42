/**
 * Renders docs/pictures/design from the real components. Run `npm run design` after changing a component in
 * src/web/ui or its page in src/web/design. Every element with `data-picture` becomes a file of that name.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { createServer } from 'vite'
import { projectRoot } from '../../db/project-root.ts'
import { chromiumLaunchOptions } from './chromium.ts'

const folder = join(projectRoot, 'docs/pictures/design')

/** Components that are opened first. The picture shows the opened element instead of the section. */
const openedParts: Record<string, string> = {
  dialog: '[role=dialog]',
  'confirm-dialog': '[role=alertdialog]',
  menu: '[role=menu]',
  'mobile-menu': '[data-opens=mobile-menu]',
  toasts: 'section[aria-label=Notifications] > :first-child',
}

const server = await createServer({ root: projectRoot, appType: 'mpa', logLevel: 'error' })
await server.listen(0)
const browser = await chromium.launch(await chromiumLaunchOptions())
try {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const context = await browser.newContext({
    viewport: { width: 960, height: 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${server.resolvedUrls?.local[0]}src/web/design/index.html`)
  await page.locator('[data-picture]').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  await forceStates(page)
  for (const section of await page.locator('[data-picture]').all()) {
    const name = (await section.getAttribute('data-picture')) ?? ''
    if (openedParts[name] === undefined) await save(name, await section.screenshot())
  }
  for (const [name, selector] of Object.entries(openedParts)) await drawOpened(page, name, selector)
} finally {
  await browser.close()
  await server.close()
}

/** Forces hover and focus on the marked elements; a real pointer could hover over only one at a time. */
async function forceStates(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('DOM.enable')
  await protocol.send('CSS.enable')
  const { root } = await protocol.send('DOM.getDocument')
  const states = { hover: ['hover'], focus: ['focus', 'focus-visible'] }
  for (const [state, forcedPseudoClasses] of Object.entries(states)) {
    const selector = `[data-force=${state}], [data-force-child=${state}] > *`
    const { nodeIds } = await protocol.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
    for (const nodeId of nodeIds) await protocol.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })
  }
}

async function drawOpened(page: Page, name: string, selector: string): Promise<void> {
  const opener = page.locator(`[data-opens=${name}]`)
  await opener.scrollIntoViewIfNeeded()
  await (name === 'mobile-menu' ? opener.getByRole('button') : opener).click()
  const opened = page.locator(selector)
  await opened.waitFor()
  await page.waitForTimeout(300)
  await save(name, await opened.screenshot())
  await page.keyboard.press('Escape')
}

async function save(name: string, picture: Buffer): Promise<void> {
  await sharp(picture)
    .webp({ quality: 86, effort: 6 })
    .toFile(join(folder, `${name}.webp`))
}
