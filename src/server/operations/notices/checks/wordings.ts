import { wordingKinds, wordingLabels } from '../../../../domain/content/wording.ts'
import { usableWording } from '../../../site/content/wordings.ts'
import type { Check } from '../notice.ts'

/** Saved wordings that cannot be used: no leases are generated, and mails use the shipped wording. */
export const unusableWordings: Check = ({ db }) =>
  wordingKinds.flatMap(kind => {
    const { fault } = usableWording(db, kind)
    if (fault === undefined) return []
    const isLease = kind === 'lease'
    return {
      id: `wording-${kind}`,
      tone: isLease ? ('danger' as const) : ('warning' as const),
      title: isLease
        ? 'The lease wording must be checked'
        : `The wording of a mail cannot be used: ${wordingLabels[kind]}`,
      detail: isLease
        ? `${fault} Until it is saved again, no lease can be generated.`
        : `${fault} Until it is saved again, the mail leaves in the words that the site came with.`,
      action: { kind: 'site' as const },
    }
  })
