import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

type WithAxe = Window & { axe?: typeof axe }

/** axe finds nothing on this screen as it is now (WCAG 2.2 AA and best practice). */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours in the middle of a fade are not those that stay.
  await page.waitForTimeout(250)
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ effect, playState }) =>
          playState !== 'running' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
  // Once a document: reading axe's source takes as long as checking a small screen.
  if (!(await page.evaluate(() => Boolean((window as WithAxe).axe)))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async () => (await (window as WithAxe).axe?.run({ resultTypes: ['violations'] }))?.violations,
  )
  expect(
    violations?.map(({ id, nodes }) => ({ id, where: nodes.map(node => node.target.join(' ')) })),
  ).toEqual([])
}
