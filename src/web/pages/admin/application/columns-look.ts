/** The two columns of the details: what the application says, and what is decided about it. */
export const columnsLook = 'grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]'
