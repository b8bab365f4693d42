/**
 * Where the cells of a table of money stand on a phone's card: name and amount, date and state, then whole lines; a menu
 * beside the first two.
 */
export const moneyCard = {
  card: 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_auto] max-sm:items-center',
  what: 'max-sm:col-start-1 max-sm:row-start-1',
  amount: 'max-sm:col-start-2 max-sm:pl-4 max-sm:row-start-1 max-sm:justify-end! max-sm:text-right',
  date: 'max-sm:col-start-1 max-sm:row-start-2',
  status: 'max-sm:col-start-2 max-sm:pl-4 max-sm:row-start-2 max-sm:justify-end! max-sm:text-right',
  line: 'max-sm:col-span-full',
  menu: 'max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:-mr-3 sm:w-16',
} as const
