import { Link } from 'wouter'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

/** Replaces a screen that failed to render. */
export function CrashScreen() {
  return (
    <div className="flex flex-col items-center pb-12">
      <ErrorState message="Something went wrong on this page." onRetry={reloadDocument} />
      <Button variant="ghost" asChild>
        <Link href={paths.home}>Back to the home page</Link>
      </Button>
    </div>
  )
}

/** Code that failed to load is requested again only by a new document. Without a response this screen stays. */
const reloadDocument = () =>
  fetch('', { method: 'HEAD' }).then(
    () => window.location.reload(),
    () => undefined,
  )
