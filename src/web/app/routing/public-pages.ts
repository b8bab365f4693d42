import type { ComponentType } from 'react'
import type { PublicPath } from '../../../domain/content/public-pages.ts'

/** Loads the component of a public page. The browser loads the code of the current one before hydration. */
export const publicPageLoaders: Record<PublicPath, () => Promise<ComponentType>> = {
  '/': () => import('../../pages/public/home-page.tsx').then(m => m.HomePage),
  '/contact': () => import('../../pages/public/contact-page.tsx').then(m => m.ContactPage),
  '/privacy': () => import('../../pages/public/legal-pages.tsx').then(m => m.PrivacyPage),
  '/terms': () => import('../../pages/public/legal-pages.tsx').then(m => m.TermsPage),
}
