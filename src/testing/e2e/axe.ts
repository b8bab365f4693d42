import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

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
  // All in the page itself: by default a second page sorts the results, which takes longer than finding them.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  expect(
    violations.map(({ id, nodes }) => ({ id, where: nodes.map(node => node.target.join(' ')) })),
  ).toEqual([])
}
