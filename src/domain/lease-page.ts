/**
 * Picks the application for the lease page from a tenant's applications, sorted newest first: active, and preferably
 * with a lease.
 */
export function leasePageChoice<App extends { status: string; leaseGenerated: boolean }>(
  applications: readonly App[],
): App | undefined {
  const active = applications.filter(({ status }) => status !== 'completed' && status !== 'rejected')
  return active.find(({ leaseGenerated }) => leaseGenerated) ?? active[0]
}
