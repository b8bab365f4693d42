/**
 * Resolves once the element with this id is about to come into the window, for parts of a page that a visitor may
 * never scroll to. At once on the server, which renders everything.
 */
export async function whenNear(id: string): Promise<void> {
  if (typeof IntersectionObserver === 'undefined') return
  const element = await inDocument(id)
  if (!element) return
  await new Promise<void>(resolve => {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(entry => entry.isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
  })
}

const patienceMs = 3000

/** A lazy part asks while its page is being rendered, before the browser has the element. */
async function inDocument(id: string): Promise<HTMLElement | null> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 50) {
    const element = document.getElementById(id)
    if (element) return element
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return null
}
