/** Of a tenant's applications, newest first, the one on the lease page: active, one with a lease before others. */
export function leasePageChoice<App extends { status: string; leaseGenerated: boolean }>(
  applications: readonly App[],
): App | undefined {
  const active = applications.filter(({ status }) => status !== 'completed' && status !== 'rejected')
  return active.find(({ leaseGenerated }) => leaseGenerated) ?? active[0]
}
