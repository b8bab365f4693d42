/** The tabs of the Settings dialog. */
export type SettingsTab = 'profile' | 'password' | 'security' | 'devices'

type Open = (tab: SettingsTab) => void

let open: Open | undefined
/** Asked for while the navigation bar was still being loaded. */
let waiting: SettingsTab | undefined

/** Opens the Settings dialog, which belongs to the navigation bar, from any screen behind the login. */
export function openSettings(tab: SettingsTab): void {
  if (open) open(tab)
  else waiting = tab
}

/** Calls back for each `openSettings`, also for one that came before. Returns how to stop that. */
export function onOpenSettings(listener: Open): () => void {
  open = listener
  if (waiting) listener(waiting)
  waiting = undefined
  return () => {
    if (open === listener) open = undefined
  }
}
