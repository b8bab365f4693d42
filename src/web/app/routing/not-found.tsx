import { Link } from 'wouter'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'

export function NotFound() {
  return (
    <div className="relative isolate flex grow flex-col items-center bg-[#c1cedb] px-5 pt-16 pb-[60svh] text-center text-navy-dark sm:pt-24">
      <div
        aria-hidden
        className="sea-tall absolute inset-x-0 top-72 bottom-0 -z-10 bg-top! [mask-image:linear-gradient(transparent,black_9rem)] sm:sea-wide sm:top-64"
      />
      <h1 className="font-display text-3xl sm:text-[2.75rem]">This page went out with the tide</h1>
      <p className="mt-3 max-w-md text-lg">
        There is nothing at this address. It may have moved, or the link may have a typo.
      </p>
      <Button asChild className="mt-6">
        <Link href={paths.home}>Back to the home page</Link>
      </Button>
    </div>
  )
}
