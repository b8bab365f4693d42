import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { type Factor, useInvalidateFactors } from './security-data.ts'

const lastOne = 'Your password alone will then open your account, and your recovery codes will stop working.'

type ConfirmRemovalProps = {
  factor: Factor
  /** Whether only the password protects the account after this factor is removed. */
  isLast: boolean
  onClose: () => void
}

/** Asks for confirmation before the authenticator app is removed. */
export function ConfirmTurnOff({ factor, isLast, onClose }: ConfirmRemovalProps) {
  const remove = api.factors.remove.useMutation()
  return (
    <ConfirmAction
      title={isLast ? 'Turn off two-step verification?' : 'Turn off codes from your app?'}
      body={isLast ? lastOne : 'Your account will then ask for a passkey after the password.'}
      confirmLabel="Turn off"
      busyLabel="Turning off..."
      failedText="Failed to turn off"
      action={async () => {
        await remove.mutateAsync({ id: factor.id })
        return isLast ? 'Two-step verification is off' : 'Codes from your app are off'
      }}
      onSuccess={useInvalidateFactors()}
      onClose={onClose}
    />
  )
}

/** Asks for confirmation before a passkey is removed. */
export function ConfirmRemovePasskey({ factor, isLast, onClose }: ConfirmRemovalProps) {
  const remove = api.factors.remove.useMutation()
  return (
    <ConfirmAction
      title={`Remove the passkey “${factor.label}”?`}
      body={isLast ? lastOne : 'It will no longer open your account.'}
      confirmLabel="Remove"
      busyLabel="Removing..."
      failedText="Failed to remove the passkey"
      action={async () => {
        await remove.mutateAsync({ id: factor.id })
        return 'Passkey removed'
      }}
      onSuccess={useInvalidateFactors()}
      onClose={onClose}
    />
  )
}
