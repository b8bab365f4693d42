/** Two columns: what the application says, and what is decided about it. In one column payments come last. */
export const columnsClass =
  'grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr]'
export const decisionsClass = 'grid min-w-0 gap-5 lg:col-start-2 lg:row-span-2 lg:row-start-1'
