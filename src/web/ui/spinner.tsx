import { LoaderCircle } from 'lucide-react'
import { classNames } from './class-names.ts'

/** Shows what is loading, e.g. 'Loading rates...'. */
export function Spinner({ label = 'Loading...', className }: { label?: string; className?: string }) {
  return (
    <div
      role="status"
      className={classNames('flex min-h-40 items-center justify-center gap-3 text-muted', className)}
    >
      <LoaderCircle aria-hidden className="size-6 animate-spin text-lagoon" />
      {label}
    </div>
  )
}
