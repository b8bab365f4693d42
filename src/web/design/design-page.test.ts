import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { parts } from './design-page.tsx'

/** Wrappers without an appearance of their own. */
const withoutLook = [
  'field',
  'hydration-boundary',
  'on-demand',
  'toast-region',
  'no-break-emails',
  'screen-parts',
]

test('the design page and docs/design.md show every component', () => {
  const components = readdirSync(join(projectRoot, 'src/web/ui'))
    .filter(name => /^[\w-]+\.tsx$/.test(name))
    .map(name => name.replace('.tsx', ''))
    .filter(name => !withoutLook.includes(name))
  expect(parts.map(part => part.file).toSorted()).toEqual(components.toSorted())

  const document = readFileSync(join(projectRoot, 'docs/design.md'), 'utf8')
  for (const { file, about } of parts) {
    expect(document.replaceAll('\n', ' ')).toContain(`**${file}.** ${about}`)
    expect(document).toContain(`(pictures/design/${file}.webp)`)
    expect(existsSync(join(projectRoot, `docs/pictures/design/${file}.webp`))).toBe(true)
  }
})
