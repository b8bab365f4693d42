import { randomBytes } from 'node:crypto'

/** A random secret for a link or a header; only its `sha256` is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')
