export const signingStates = ['open', 'complete', 'voided'] as const
/** Who signs by an own link, in the order in which a document lists them. */
export const signerRoles = ['tenant', 'co_tenant', 'occupant', 'guarantor', 'owner'] as const
export type SignerRole = (typeof signerRoles)[number]

export const signerStates = ['waiting', 'opened', 'declined', 'signed', 'removed'] as const
export type SignerState = (typeof signerStates)[number]
export const maxSigners = 8

type Moments = Record<'declinedAt' | 'openedAt' | 'removedAt' | 'signedAt', string | null>

/** A signature counts whatever came before it. */
export function signerState({ declinedAt, openedAt, removedAt, signedAt }: Moments): SignerState {
  if (removedAt !== null) return 'removed'
  if (signedAt !== null) return 'signed'
  if (declinedAt !== null) return 'declined'
  return openedAt === null ? 'waiting' : 'opened'
}

/** How many have signed, of those who were not left out. */
export function signingCount(signers: readonly Pick<Moments, 'removedAt' | 'signedAt'>[]) {
  const asked = signers.filter(({ removedAt }) => removedAt === null)
  return { signed: asked.filter(({ signedAt }) => signedAt !== null).length, of: asked.length }
}

/** When a document counts as signed: with the last signature. Null while somebody is missing. */
export function completeSince(signers: readonly Pick<Moments, 'removedAt' | 'signedAt'>[]): string | null {
  const { of, signed } = signingCount(signers)
  const [last = null] = signers
    .flatMap(({ signedAt }) => signedAt ?? [])
    .sort()
    .reverse()
  return of > 0 && signed === of ? last : null
}

type Named = { firstName: string; lastName: string }

export const signerName = ({ firstName, lastName }: Named): string => `${firstName} ${lastName}`.trim()

/** '1 of 3 have signed.' */
export const countSentence = ({ of, signed }: { of: number; signed: number }): string =>
  `${signed} of ${of} ${signed === 1 ? 'has' : 'have'} signed.`

export const signingMessages = {
  invalidLink: 'This link is no longer valid. Please ask the owner for a new one.',
  alreadyOut: 'The invitations are out already.',
  alreadySigned: 'You have signed already.',
  notRead: 'Please read the document before you sign.',
  partlySigned: 'This lease is partly signed. Take the invitations back to change it.',
  askOwner: 'Please ask the owner to send the invitations.',
  ownerOnly: 'Only the owner can add this signer.',
  ownLink: 'The co-applicant signs by an own link.',
  notAnAdult: 'This is not the name of an adult guest of this booking.',
  noCoApplicant: 'This application has no co-applicant.',
  mustSign: 'A tenant named in the lease cannot be left out.',
  notOpen: 'There are no invitations to sign.',
  tooMany: `At most ${maxSigners} people can sign.`,
  emailMissing: (name: string) => `Please give the e-mail address of ${name}.`,
  inviteFirst: (name: string) => `${name} signs by an own link. Please send the invitation first.`,
} as const
