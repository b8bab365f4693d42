import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder with package.json, both when running from source and from the bundle in dist/. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('package.json was not found above the program')
  return findRoot(parent)
}
