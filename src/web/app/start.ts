import './styles.css'
import { replayEarlyEvents } from './ssr/replay-early-events.ts'

/** What the server rendered is seen before the app's code competes with its pictures for the line; all else starts at once. */
async function start(): Promise<void> {
  if (document.getElementById('page-data')) {
    replayEarlyEvents()
    await seenOrTouched()
  }
  await import('./main.tsx')
}

const interactions = ['pointerdown', 'keydown', 'touchstart', 'wheel', 'scroll', 'focusin'] as const
const patienceMs = 3000

/** Once the page with its first pictures has been painted, somebody wants something of it, or it takes too long. */
function seenOrTouched(): Promise<unknown> {
  return new Promise(resolve => {
    // On a slow phone the first paint may come after everything is loaded.
    const whenPainted = () => new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    if (document.readyState === 'complete') whenPainted()
    else window.addEventListener('load', whenPainted, { once: true })
    for (const name of interactions) window.addEventListener(name, resolve, { once: true, passive: true })
    setTimeout(resolve, patienceMs)
  })
}

void start()
