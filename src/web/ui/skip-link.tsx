/** The first Tab stop: skips the navigation. */
export function SkipLink({
  target = 'main',
  children = 'Skip to main content',
}: {
  target?: string
  children?: string
}) {
  return (
    <a
      href={`#${target}`}
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-navy px-4 py-2.5 font-semibold text-white focus:translate-y-0"
    >
      {children}
    </a>
  )
}
