/** The file in the folder that carries the store's id; written under the temporary name first. */
export const idFileName = 'store-id'
export const temporaryIdFileName = `.${idFileName}`

/** Whether this file of the folder is the store's own and nobody's document. */
export const isOwnFile = (name: string): boolean =>
  ['.gitkeep', idFileName, temporaryIdFileName].includes(name)
