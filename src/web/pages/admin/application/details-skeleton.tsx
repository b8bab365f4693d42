import { Skeleton } from '../../../ui/skeleton.tsx'
import { columnsClass, contentClass, decisionsClass } from './layout.ts'

export function DetailsSkeleton() {
  return (
    <div className={columnsClass}>
      <div className={decisionsClass}>
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-72 rounded-card" />
      </div>
      <div className={contentClass}>
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
    </div>
  )
}
