/**
 * What has to be decided, then what the application says, then what happened. From `lg` on they are two columns, in which
 * the second is on the left.
 */
export const columnsClass =
  'grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr]'
export const decisionsClass = 'grid min-w-0 gap-5 lg:col-start-2'
export const contentClass = 'grid min-w-0 gap-5 lg:col-start-1 lg:row-span-2 lg:row-start-1'
export const historyClass = 'min-w-0 lg:col-start-2'
