/** Whether a query's response is the same for all users, so that its cache entry survives a logout. */
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
