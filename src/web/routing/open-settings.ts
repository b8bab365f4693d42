/** The tabs of the Settings dialog. */
export type SettingsTab = 'profile' | 'password' | 'security' | 'devices'

type Open = (tab: SettingsTab) => void

let open: Open | undefined
/** The tab requested before the navigation bar was loaded. */
let waiting: SettingsTab | undefined

/** Opens the Settings dialog, which belongs to the navigation bar, from any signed-in screen. */
export function openSettings(tab: SettingsTab): void {
  if (open) open(tab)
  else waiting = tab
}

/**
 * Sets the listener for `openSettings`; an earlier request is delivered immediately. Returns a function that removes
 * the listener.
 */
export function onOpenSettings(listener: Open): () => void {
  open = listener
  if (waiting) listener(waiting)
  waiting = undefined
  return () => {
    if (open === listener) open = undefined
  }
}
