/** Whether an application is neither completed nor declined. */
export const isActive = ({ status }: { status: string }) => status !== 'completed' && status !== 'rejected'

/**
 * Picks the application for the lease page from a tenant's applications, sorted newest first: one with a lease, unless
 * it was declined, also after the stay; else an active one.
 */
export function leasePageChoice<App extends { status: string; leaseGenerated: boolean }>(
  applications: readonly App[],
): App | undefined {
  return (
    applications.find(({ leaseGenerated, status }) => leaseGenerated && status !== 'rejected') ??
    applications.find(isActive)
  )
}
