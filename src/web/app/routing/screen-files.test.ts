import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../../db/project-root.ts'
import { screenSources } from './screen-files.ts'

const routes = readFileSync(join(projectRoot, 'src/web/app/routing/screens.tsx'), 'utf8')

test('each route has a page and styles for its document to preload', () => {
  const paths = [...routes.matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) =>
    path.replace('/:tab?', ''),
  )
  expect(paths.length).toBeGreaterThan(20)
  for (const path of [...paths, '/admin/site/pictures', '/email-change', '/email-undo', '/not-me']) {
    const [page = '', styles] = screenSources(path)
    const name = page.replace('src/web/pages/', '../../pages/')
    expect(routes, path).toContain(`import('${name}')`)
    const isStyled = routes.slice(0, routes.indexOf(name)).lastIndexOf('styledPage(')
    const isPlain = routes.slice(0, routes.indexOf(name)).lastIndexOf('pageOnDemand(')
    expect(styles !== undefined, path).toBe(isStyled > isPlain)
  }
})

test('an unknown path gets the not-found screen, a public page has no files', () => {
  expect(screenSources('/nowhere')).toEqual(['src/web/app/routing/not-found.tsx'])
  expect(screenSources('/contact')).toEqual([])
})
