/** Paths of the contract that are not served yet. Empty once the REST contract is whole. */
export const pendingInContract: readonly string[] = []

/** Requirements that no test proves yet. */
export const pendingInRequirements: readonly string[] = ['FIX-24']
