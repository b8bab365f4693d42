import type { Dirent } from 'node:fs'

/** The file with the store's id; written under the temporary name first. */
export const idFileName = 'store-id'
export const temporaryIdFileName = `.${idFileName}`

/** The subfolder to which a sweep moves files without a row. */
export const orphansFolder = 'orphans'

/** Whether this entry of the folder is a document, and not one of the store's own files or folders. */
export const isStoredFile = (entry: Dirent): boolean =>
  entry.isFile() && !['.gitkeep', idFileName, temporaryIdFileName].includes(entry.name)
