import { Skeleton } from '../../../ui/skeleton.tsx'

/** In this order: decisions, content, history. From `lg` on there are two columns, with the content on the left. */
export const columnsClass =
  'grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr]'
export const decisionsClass = 'grid min-w-0 items-start gap-5 md:max-lg:grid-cols-2 lg:col-start-2'
/** Spans both columns of the decisions on a tablet. */
export const decisionRowClass = 'md:max-lg:col-span-2'
export const contentClass = 'grid min-w-0 gap-5 lg:col-start-1 lg:row-span-2 lg:row-start-1'
export const historyClass = 'min-w-0 lg:col-start-2'

/** Shows a table row as a card on a phone: two cells per line, and the menu next to them. */
export const moneyCardClass =
  'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_2.5rem] max-sm:items-center max-sm:gap-x-2 max-sm:pr-1! ' +
  'max-sm:[grid-template-areas:"what_amount_menu""date_status_menu"] ' +
  // The cells are clear without labels.
  'max-sm:[&>td>span]:hidden max-sm:[&>td:nth-child(odd)>div]:text-left max-sm:[&>td:nth-child(1)]:[grid-area:what] ' +
  'max-sm:[&>td:nth-child(2)]:[grid-area:amount] max-sm:[&>td:nth-child(3)]:[grid-area:date] ' +
  'max-sm:[&>td:nth-child(4)]:[grid-area:status] max-sm:[&>td:nth-child(5)]:[grid-area:menu] ' +
  'max-sm:[&>td:nth-child(even)]:justify-self-end'

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
