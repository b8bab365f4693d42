import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../../db/project-root.ts'

/** The only files that may read the site's identity from the configuration; all others call `currentSite`. */
const readers = new Set([
  'kernel/config.ts',
  'site/content/published.ts',
  // Adds the saved time zone.
  'create-deps.ts',
  // The demo's account at the payment provider has the configured name.
  'operations/demo/embedded.ts',
])

/** Patterns that read name or contact from the configuration. The time zone may always be read from there. */
const readings = [
  /\bconfig\.site\b(?!\.timeZone\b)/,
  /\bconfig\??\.?\[/,
  /\bconfig\s*:\s*\{[^{}]*\bsite\b/,
  /\{[^{}]*\bsite\b[^{}]*\}\s*=\s*[\w.]*config\b/i,
  /\{[^{}]*\bsite\b[^{}]*\}\s*:\s*(Pick<)?Config\b/,
]
const zoneAlone = /\{ timeZone \} = [\w.]*config\.site\b/g

const readsConfiguration = (source: string): boolean =>
  readings.some(reading => reading.test(source.replace(zoneAlone, '')))

test('no other server file reads name, address or contact from the configuration [SITE-22]', () => {
  const folder = join(projectRoot, 'src/server')
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter(path => !/\.test\.tsx?$/.test(path))
  expect(files.length).toBeGreaterThan(300)
  const reading = files.filter(path => readsConfiguration(readFileSync(join(folder, path), 'utf8')))
  expect(reading.filter(path => !readers.has(path))).toEqual([])
})

test.each([
  'to: deps.config.site.ownerEmail,',
  'const { ownerEmail } = deps.config.site',
  'const { origin, site } = deps.config',
  'const {\n  origin,\n  site,\n} = config',
  'function head({ config: { site } }: Deps) {}',
  'function head({ site }: Config) {}',
  "function head({ site }: Pick<Config, 'site'>) {}",
  'fill(config.site)',
  "config['site']",
])('detects a read of the configured identity: %s [SITE-22]', source => {
  expect(readsConfiguration(source)).toBe(true)
})

test('allows reading the time zone of the property from the configuration', () => {
  for (const source of ['dateIn(now, deps.config.site.timeZone)', 'const { timeZone } = deps.config.site'])
    expect(readsConfiguration(source)).toBe(false)
})
