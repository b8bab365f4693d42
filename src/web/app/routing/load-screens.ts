/** All screens except the public pages. */
export const loadScreens = () => import('./screens.tsx')
