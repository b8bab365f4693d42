import { Link } from 'wouter'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'

export function NotFound() {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center px-5 py-20 text-center">
      <h1 className="font-display text-3xl text-navy">This page went out with the tide</h1>
      <p className="mt-3 text-muted">
        There is nothing at this address. It may have moved, or the link has a typing error.
      </p>
      <Button asChild className="mt-6">
        <Link href={paths.home}>Back to the home page</Link>
      </Button>
    </div>
  )
}
