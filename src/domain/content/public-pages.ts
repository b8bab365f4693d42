/** The pages that the server renders for everybody, by path, as the owner's content names them. */
export const publicPages = {
  '/': 'home',
  '/contact': 'contact',
  '/privacy': 'privacy',
  '/terms': 'terms',
} as const

export type PublicPath = keyof typeof publicPages
export type ContentPage = (typeof publicPages)[PublicPath]

export function isPublicPath(path: string): path is PublicPath {
  return Object.hasOwn(publicPages, path)
}
