import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Router } from 'wouter'
import { projectRoot } from '../../../../db/project-root.ts'
import type { HeroPictureView } from '../../../domain/content/content-views.ts'
import { shippedContent } from '../../../server/site/content/shipped-content.ts'
import { HeroSection } from './hero-section.tsx'

const styles = readFileSync(join(projectRoot, 'src/web/app/styles.css'), 'utf8')
type Color = [number, number, number]

function token(name: string): Color {
  const [, hex = ''] = new RegExp(`--color-${name}: #([0-9a-f]{6});`).exec(styles) ?? []
  return [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as Color
}

/** Relative luminance and contrast as defined by WCAG 2. */
const luminance = (color: Color) => {
  const [r = 0, g = 0, b = 0] = color.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: Color, b: Color) => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const view = {
  path: '/media/x',
  width: 1600,
  height: 900,
  avif: [],
  webp: [960],
  jpeg: [960],
  placeholder: 'data:x',
}
const heroOf = (picture: HeroPictureView, words = {}) =>
  renderToStaticMarkup(
    <Router ssrPath="/">
      <HeroSection
        applyPath="/register"
        price="$85"
        hero={{
          eyebrow: 'E',
          headline: 'H',
          text: 'T',
          ...words,
          picture,
          alt: '',
          focal: { x: 0.5, y: 0.5 },
        }}
      />
    </Router>,
  )

test('keeps a text contrast of 4.5:1 on any hero picture [PIC-16]', () => {
  const html = heroOf({ ...view, id: 'mine', phone: { ...view, id: 'mine' } })
  const [, name = '', percent] = /aria-hidden="true" class="[^"]*bg-([\w-]+)\/(\d+)/.exec(html) ?? []
  const [scrim, share] = [token(name), Number(percent) / 100]
  const used = [...html.matchAll(/<(?:p|h1)[^>]*class="[^"]*text-(navy(?:-dark)?)[ "]/g)].map(
    ([, found]) => found,
  )
  expect(used).toEqual(['navy', 'navy-dark', 'navy-dark', 'navy-dark'])
  // The scrim blurs what it covers, so no pixel is darker than black or lighter than white.
  for (const below of [0, 64, 128, 192, 255]) {
    const seen = scrim.map(value => value * share + below * (1 - share)) as Color
    for (const text of used) expect(contrast(token(text ?? ''), seen)).toBeGreaterThanOrEqual(4.5)
  }
})

test("shows the shipped texts on the picture's sky, and longer texts on a scrim [SITE-01, PIC-16]", () => {
  const path = '/pictures/hero-37e45d82'
  const own = { ...view, id: 'hero', path, phone: { ...view, id: 'hero', path } }
  const { eyebrow, headline, text } = shippedContent.hero
  expect(heroOf(own, { eyebrow, headline, text })).not.toContain('bg-canvas/')
  // Longer texts reach down to the house and the sand, where their contrast was only 2.2:1.
  for (const longer of [{ headline: 'x'.repeat(60) }, { text: 'x'.repeat(240) }, { eyebrow: 'x'.repeat(60) }])
    expect(heroOf(own, longer)).toContain('bg-canvas/')
})
