/** Paths of the contract that are not served yet. */
export const pendingInContract: readonly string[] = []

/** Requirements that no test covers yet. */
export const pendingInRequirements: readonly string[] = ['FIX-24']
