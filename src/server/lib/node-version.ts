const oldestMajor = 24

/** A message if this Node version is too old for the database driver, which would crash silently; else undefined. */
export function nodeVersionError(version: string): string | undefined {
  if (Number(version.split('.')[0]) >= oldestMajor) return undefined
  return `Node ${version} is too old: ${oldestMajor} or newer is needed. On Linux "npm ci" installs one, which "npm start" and "npm run serve" use; elsewhere install it from nodejs.org.`
}
