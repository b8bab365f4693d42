import { storedToken } from '../../api/token.ts'

/** A session that turns out to be over changes the header just the same. */
const signedInAtStart = storedToken() !== null

/**
 * Resolves once the element with this id is about to come into the window, for parts of a page that the server has
 * rendered and a visitor may never scroll to. At once where there is nothing to look at meanwhile: on the server, and
 * in a browser that renders the part itself. At once for signed-in people too: their header changes shortly, and React
 * takes away what still waits when something above it changes.
 */
export async function whenNear(id: string): Promise<void> {
  if (typeof document === 'undefined' || signedInAtStart) return
  const element = document.getElementById(id)
  if (!element) return
  await new Promise<void>(resolve => {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(entry => entry.isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      // What lies above has been passed, by a jump to a later part: it counts as near.
      { rootMargin: '1000000px 0px 400px' },
    )
    observer.observe(element)
  })
}
