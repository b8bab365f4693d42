/** Resolves when an element is within this distance of the viewport. */
export function nearViewport(element: Element, distance = 400): Promise<void> {
  return new Promise(resolve => {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(entry => entry.isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      // Elements above the viewport count as near, because a jump to a later section skips them.
      { rootMargin: `1000000px 0px ${distance}px` },
    )
    observer.observe(element)
  })
}
