import { Link } from 'wouter'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { paths } from './paths.ts'

export function NotFound() {
  return (
    <EmptyState
      title="This page went out with the tide"
      hint="There is nothing at this address. It may have moved, or the link has a typing error."
      action={
        <Button asChild>
          <Link href={paths.home}>Back to the home page</Link>
        </Button>
      }
    />
  )
}
