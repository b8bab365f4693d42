/** Whether the window is as narrow as a phone, for content that is folded only there. */
export const isPhone = () => window.matchMedia('(max-width: 639px)').matches
