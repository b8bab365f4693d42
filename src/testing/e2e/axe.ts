import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

type WithAxe = Window & { axe?: typeof axe }

/** Expects no axe violations on the current screen (WCAG 2.2 AA and best practices). */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that still loads has no heading.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  // Fades change the colors: wait until they have started, and until they have ended.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.waitForFunction(() =>
    document.getAnimations().every(
      ({ effect, playState, timeline }) =>
        playState !== 'running' ||
        effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY ||
        // One that follows a scrolled element never ends.
        timeline !== document.timeline,
    ),
  )
  // Once per document: loading axe takes as long as checking a small screen.
  if (!(await page.evaluate(() => Boolean((window as WithAxe).axe)))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async () => (await (window as WithAxe).axe?.run({ resultTypes: ['violations'] }))?.violations,
  )
  expect(
    violations?.map(({ id, nodes }) => ({ id, where: nodes.map(node => node.target.join(' ')) })),
  ).toEqual([])
}

/** Fits on phones, tablets and laptops, and passes axe. `SHOTS` is a folder for pictures of it. */
export async function expectFine(page: Page, name: string) {
  const before = page.viewportSize()
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    const { SHOTS } = process.env
    const fullPage = (await page.getByRole('dialog').count()) === 0
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}.png`, fullPage })
  }
  if (before) await page.setViewportSize(before)
  await expectAccessible(page)
}
