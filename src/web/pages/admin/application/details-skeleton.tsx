import { Skeleton } from '../../../ui/skeleton.tsx'
import { columnsClass, decisionsClass } from './layout.ts'

export function DetailsSkeleton() {
  return (
    <div className={columnsClass}>
      <div className="grid gap-5">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-32 rounded-card" />
      </div>
      <div className={decisionsClass}>
        <Skeleton className="h-56 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
      <Skeleton className="h-96 rounded-card" />
    </div>
  )
}
