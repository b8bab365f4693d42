import { Link } from 'wouter'
import { paths } from '../routing/paths.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** In place of a screen whose session ended while it was open. */
export function SessionExpired({ message }: { message: string }) {
  return (
    <EmptyState
      title={message}
      action={
        <Button asChild>
          <Link href={paths.login}>Go to Login</Link>
        </Button>
      }
    />
  )
}
