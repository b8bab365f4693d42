import { Link } from 'wouter'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

/** In place of a screen that broke while rendering. */
export function CrashScreen({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col items-center pb-12">
      <ErrorState message="Something went wrong on this page." onRetry={onRetry} />
      <Button variant="ghost" asChild>
        <Link href={paths.home}>Back to the home page</Link>
      </Button>
    </div>
  )
}
