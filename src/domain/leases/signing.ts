export const signingStates = ['open', 'complete', 'voided'] as const
/** Who signs by an own link, in the order in which a document lists them. */
export const signerRoles = ['tenant', 'co_tenant', 'occupant', 'guarantor', 'owner'] as const
export type SignerRole = (typeof signerRoles)[number]
