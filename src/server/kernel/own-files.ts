import type { Dirent } from 'node:fs'

/** The file in the folder that carries the store's id; written under the temporary name first. */
export const idFileName = 'store-id'
export const temporaryIdFileName = `.${idFileName}`

/** Below it: what a sweep set aside. */
export const orphansFolder = 'orphans'

/** Whether this entry of the folder is a document, and not one of the store's own files or folders. */
export const isDocument = (entry: Dirent): boolean =>
  entry.isFile() && !['.gitkeep', idFileName, temporaryIdFileName].includes(entry.name)
