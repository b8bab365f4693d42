import type { ReactNode } from 'react'
import type { SignerRole, SignerState } from '../../../domain/leases/signing.ts'
import { Badge } from '../../ui/badge.tsx'

const roleLabels: Record<SignerRole, string> = {
  tenant: 'Tenant',
  co_tenant: 'Co-applicant',
  occupant: 'Adult guest',
  guarantor: 'Guarantor',
  owner: 'Owner',
}
const states = {
  waiting: ['Invited', 'neutral'],
  opened: ['Opened', 'blue'],
  declined: ['Declined', 'red'],
  signed: ['Signed', 'green'],
  removed: ['Left out', 'neutral'],
} as const satisfies Record<SignerState, readonly [string, string]>

type Shown = { name: string; role: SignerRole; state: SignerState }

/** Who signs, with the state of each; `children` gives what can be done. */
export function SignerList<Signer extends Shown>({
  children,
  ownName,
  signers,
}: {
  signers: readonly Signer[]
  /** Who reads this and has not signed. */
  ownName?: string | undefined
  children?: (signer: Signer) => ReactNode
}) {
  const numbered = signers.map((signer, position) => ({ signer, position }))
  return (
    <ul className="divide-y divide-line" aria-label="Who signs">
      {numbered.map(({ position, signer }) => {
        const [label, tone] = signer.name === ownName ? (['You', 'neutral'] as const) : states[signer.state]
        return (
          <li key={position} className="grid gap-2 py-3 first:pt-0 last:pb-0">
            <div className="flex items-start justify-between gap-3">
              <span className="min-w-0 wrap-anywhere">
                <span className="font-semibold text-navy">{signer.name}</span>
                <span className="block text-[0.9375rem] text-muted">{roleLabels[signer.role]}</span>
              </span>
              <Badge tone={tone}>{label}</Badge>
            </div>
            {children?.(signer)}
          </li>
        )
      })}
    </ul>
  )
}
