import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../../db/project-root.ts'
import { paths } from '../../routing/paths.ts'
import { findScreen, screenSources } from './screen-table.ts'

const examples = [
  ...Object.values(paths).map(path => (typeof path === 'string' ? path : path('x'))),
  '/email-change',
  '/email-undo',
  '/not-me',
  '/invitation',
  '/offer',
  '/reply',
  '/review',
  '/sign',
  '/stay',
  '/admin/arrival/x',
  '/admin/revenue/books',
  '/admin/revenue/deposits',
].map(path => path.replace(/[#?].*/, ''))

test('every path leads to a screen, and every page has a path', () => {
  const files = readdirSync(join(projectRoot, 'src/web/pages'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('-page.tsx') && !name.startsWith('public/'))
    .map(name => name.replace('-page.tsx', ''))
  expect(examples.filter(path => !findScreen(path))).toEqual([])
  const shown = new Set(examples.flatMap(path => findScreen(path)?.page ?? []))
  expect([...shown].toSorted()).toEqual(files.toSorted())
})

test('a page gets the parameters of its path', () => {
  expect(findScreen('/admin/application/a1')).toMatchObject({
    pattern: '/admin/application/:id',
    page: 'admin/application/application',
    props: { id: 'a1' },
  })
  expect(findScreen('/admin/site')?.props).toEqual({})
  for (const path of ['/admin/site/nothing', '/application/', '/application/a/b', '/nowhere'])
    expect(findScreen(path), path).toBeUndefined()
})

test('the document of a screen preloads its page and styles, that of a public page nothing', () => {
  const styles = 'src/web/app/routing/all-styles.css'
  expect(screenSources('/lease')).toEqual(['src/web/pages/tenant/lease/lease-page.tsx', styles])
  expect(screenSources('/login')).toEqual(['src/web/pages/account/login-page.tsx'])
  expect(screenSources('/nowhere')).toEqual(['src/web/routing/not-found.tsx'])
  expect(screenSources('/contact')).toEqual([])
})
