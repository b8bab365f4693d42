import './core-styles.css'
import { loadScreens } from './routing/load-screens.ts'
import { replayEarlyEvents } from './ssr/replay-early-events.ts'

/**
 * A server-rendered page is painted before the app's code competes with its pictures for bandwidth; other pages start
 * immediately.
 */
async function start(): Promise<void> {
  let giveUp: (() => void) | undefined
  if (document.getElementById('page-data')) {
    giveUp = replayEarlyEvents()
    await paintedOrTouched()
  } else {
    // Loads in parallel with the app; a failure shows up when the app requests the screens again.
    loadScreens().catch(() => undefined)
  }
  try {
    await (await import('./main.tsx')).started
  } catch (error) {
    giveUp?.()
    throw error
  }
}

const interactions = ['pointerdown', 'keydown', 'touchstart', 'wheel', 'scroll', 'focusin'] as const
const maxWaitMs = 3000

/** Resolves after the first paint, on the first interaction, or after a timeout. */
function paintedOrTouched(): Promise<unknown> {
  return new Promise(resolve => {
    // On a slow phone the first paint may come after everything is loaded.
    const whenPainted = () => new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    if (document.readyState === 'complete') whenPainted()
    else window.addEventListener('load', whenPainted, { once: true })
    for (const name of interactions) window.addEventListener(name, resolve, { once: true, passive: true })
    setTimeout(resolve, maxWaitMs)
  })
}

void start()
