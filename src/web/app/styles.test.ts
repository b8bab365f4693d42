import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'

test('the background images in styles.css exist [LOOK-30]', () => {
  const styles = readFileSync(join(projectRoot, 'src/web/app/styles.css'), 'utf8')
  const files = [...styles.matchAll(/url\("(\/.*?)"\)/g)].map(([, path]) => path ?? '')
  expect(files).toHaveLength(2)
  for (const file of files) expect(existsSync(join(projectRoot, 'src/web/public', file)), file).toBe(true)
})
