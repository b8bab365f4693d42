import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { safetyMessages } from '../../../../domain/accounts/account-safety-messages.ts'
import { maxPasskeys } from '../../../../domain/accounts/factor.ts'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { canUsePasskeys } from '../../../features/factors/passkeys.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Button } from '../../../ui/button.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { ConfirmRemovePasskey } from './confirm-removal.tsx'
import { LastUse, Section } from './section.tsx'
import type { Factor } from './security-data.ts'

type PasskeysProps = {
  passkeys: readonly Factor[]
  /** Whether passkeys are the account's only second factor. */
  isOnlyFactor: boolean
  /** Calls back once the account's mailbox is proven. */
  withMailbox: (go: () => void) => void
  opener: Element | null
  onAdded: () => void
}

/** The account's passkeys. Each of them can be used to log in without a password. */
export function Passkeys({ passkeys, isOnlyFactor, opener, withMailbox, onAdded }: PasskeysProps) {
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Factor>()
  const timeZone = useTimeZone()
  const isFull = passkeys.length >= maxPasskeys
  const canAdd = canUsePasskeys() && !isFull
  return (
    <Section
      title="Passkeys"
      action={
        canAdd && (
          <Button variant="secondary" onClick={() => withMailbox(() => setAdding(true))}>
            <Plus aria-hidden />
            Add a passkey
          </Button>
        )
      }
    >
      <p>Log in with your fingerprint, your face or the PIN of your device, without a password.</p>
      {!canUsePasskeys() && <p className="text-muted">This browser cannot add passkeys.</p>}
      {isFull && <p className="text-muted">{safetyMessages.tooManyPasskeys}</p>}
      {passkeys.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {passkeys.map(factor => (
            <li key={factor.id} className="flex items-center justify-between gap-4 py-2 pr-2 pl-4">
              <div className="min-w-0">
                <p className="font-semibold wrap-anywhere text-navy">{factor.label}</p>
                <p className="text-[0.9375rem] text-muted">
                  Added {formatMomentDate(factor.createdAt, timeZone)}
                </p>
                <LastUse factor={factor} />
              </div>
              <Button size="sm" variant="ghost" className="text-red" onClick={() => setRemoved(factor)}>
                <Trash2 aria-hidden />
                Remove<span className="sr-only"> {factor.label}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddPasskeyDialog opener={opener} onAdded={onAdded} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmRemovePasskey
          factor={removed}
          isLast={isOnlyFactor && passkeys.length === 1}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}
