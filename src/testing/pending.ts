/** Requirements that no test covers yet. */
export const pendingInRequirements: readonly string[] = ['FIX-24']
