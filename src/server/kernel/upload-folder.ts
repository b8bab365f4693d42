import type { Dirent } from 'node:fs'
import { relative, sep } from 'node:path'

/** The file with the store's id; written under the temporary name first. */
export const idFileName = 'store-id'
export const temporaryIdFileName = `.${idFileName}`

/** The subfolder to which a sweep moves files without a row. */
export const orphansFolder = 'orphans'

/** The subfolder of files that are still being written. */
export const incomingFolder = 'incoming'

/** Whether a folder is one of the store's own, whose files it backs up or sets aside as orphans. */
export const isOwnFolder = (uploadsDir: string, folder: string): boolean =>
  ['', orphansFolder, incomingFolder].includes(relative(uploadsDir, folder).split(sep)[0] ?? '')

/** Whether this entry of the folder is a document, and not one of the store's own files or folders. */
export const isStoredFile = (entry: Dirent): boolean =>
  entry.isFile() && !['.gitkeep', idFileName, temporaryIdFileName].includes(entry.name)
