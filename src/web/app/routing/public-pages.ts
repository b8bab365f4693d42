/** The screens that the server renders; a browser loads the one it shows before it takes over from the server. */
export const publicPages = {
  '/': () => import('../../pages/public/home-page.tsx').then(m => m.HomePage),
  '/contact': async () => {
    const [{ ContactPage }, { withApi }] = await Promise.all([
      import('../../pages/public/contact-page.tsx'),
      import('../../api/api-provider.tsx'),
    ])
    return withApi(ContactPage)
  },
  '/privacy': () => import('../../pages/public/legal-pages.tsx').then(m => m.PrivacyPage),
  '/terms': () => import('../../pages/public/legal-pages.tsx').then(m => m.TermsPage),
}

export type PublicPath = keyof typeof publicPages

export function isPublicPath(path: string): path is PublicPath {
  return Object.hasOwn(publicPages, path)
}
