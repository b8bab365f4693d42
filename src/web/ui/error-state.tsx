import { CloudAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type ErrorStateProps = { message: ReactNode; onRetry?: () => void; className?: string }

/** Shows what could not be loaded, with a button to try again. */
export function ErrorState({ message, onRetry, className }: ErrorStateProps) {
  return (
    <div role="alert" className={classNames('flex flex-col items-center px-5 py-12 text-center', className)}>
      <CloudAlert aria-hidden className="mb-3 size-10 text-red" strokeWidth={1.5} />
      <div className="max-w-md text-lg font-semibold text-navy">{message}</div>
      {onRetry && (
        <Button variant="secondary" className="mt-5" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </div>
  )
}
