import { Link } from 'wouter'
import { paths } from '../../../routing/paths.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** Instead of an empty list that cannot fill. */
export const SwitchedOff = ({ what }: { what: string }) => (
  <EmptyState
    title={`${what} are off`}
    hint={
      <>
        Turn them on under{' '}
        <Link href={paths.adminGuests} className="link">
          Site, Guests
        </Link>
        .
      </>
    }
  />
)
