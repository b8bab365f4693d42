import { Link } from 'wouter'
import { paths } from '../routing/paths.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { LoginEntry } from './login-entry.ts'

/** Replaces a screen whose session ended while it was open. */
export function SessionExpired({ message, entry }: { message: string; entry: LoginEntry }) {
  return (
    <EmptyState
      title={message}
      hint="Your session has ended. After you log in, you will be back on this page."
      action={
        <Button asChild>
          <Link href={paths.login} state={entry}>
            Go to Login
          </Link>
        </Button>
      }
    />
  )
}
