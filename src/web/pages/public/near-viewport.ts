import { storedToken } from '../../api/token.ts'

const signedInAtStart = storedToken() !== null

/**
 * Resolves once the server-rendered element with this id is near the viewport. Immediately where there is none: on the
 * server, and in a browser that renders the part itself. Immediately for signed-in users, too: their header changes
 * soon, and React then drops what is not hydrated yet.
 */
export async function nearViewport(id: string): Promise<void> {
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
      // A part above the viewport counts as near: a jump to a later part has passed it.
      { rootMargin: '1000000px 0px 400px' },
    )
    observer.observe(element)
  })
}
