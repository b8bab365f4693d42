/** Whether a query's answer is the same for everybody, so that it survives a logout. */
export function isPublicQuery(key: readonly unknown[]): boolean {
  const [path] = key
  return Array.isArray(path) && publicQueries.includes(path.join('.'))
}

const publicQueries = [
  'site.get',
  'site.content',
  'rates.list',
  'bookings.rules',
  'availability.range',
  'contact.ready',
]
