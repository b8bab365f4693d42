/** The tabs of the Settings dialog. */
export type SettingsTab = 'profile' | 'password' | 'security' | 'devices'

const name = 'open-settings'

/** Opens the Settings dialog, which belongs to the navigation bar, from any screen behind the login. */
export function openSettings(tab: SettingsTab): void {
  window.dispatchEvent(new CustomEvent(name, { detail: tab }))
}

/** Calls back for each `openSettings`. Returns how to stop that. */
export function onOpenSettings(open: (tab: SettingsTab) => void): () => void {
  const listener = (event: Event) => open((event as CustomEvent<SettingsTab>).detail)
  window.addEventListener(name, listener)
  return () => window.removeEventListener(name, listener)
}
