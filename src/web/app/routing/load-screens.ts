/** All screens but the public pages. */
export const loadScreens = () => import('./screens.tsx')
