/** The screens that the server renders. The browser loads the code of the current one before hydration. */
export const publicPages = {
  '/': () => import('../../pages/public/home-page.tsx').then(m => m.HomePage),
  '/contact': () => import('../../pages/public/contact-page.tsx').then(m => m.ContactPage),
  '/privacy': () => import('../../pages/public/legal-pages.tsx').then(m => m.PrivacyPage),
  '/terms': () => import('../../pages/public/legal-pages.tsx').then(m => m.TermsPage),
}

export type PublicPath = keyof typeof publicPages

export function isPublicPath(path: string): path is PublicPath {
  return Object.hasOwn(publicPages, path)
}
