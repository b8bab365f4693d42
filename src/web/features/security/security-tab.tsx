import { useState } from 'react'
import { recoveryCodeCount } from '../../../domain/accounts/recovery-code.ts'
import { api } from '../../api/api.ts'
import { failureText } from '../../api/failures.ts'
import { useReadAgain } from '../../forms/change.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ConfirmMailboxDialog } from './confirm-mailbox-dialog.tsx'
import { ConfirmTurnOff, Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { type Factor, type Factors, LastUse, Section, useFactors } from './section.tsx'
import { SetUpDialog } from './set-up-dialog.tsx'

type SecurityTabProps = {
  /** The current password, if the person has just typed it. */
  password?: string | undefined
}

/** The account's second factors and recovery codes. */
export function SecurityTab({ password }: SecurityTabProps) {
  return (
    <QueryView query={useFactors()} loading="Loading..." error="Failed to load your security settings">
      {factors => <Security {...factors} password={password} />}
    </QueryView>
  )
}

type Modal = 'set up' | 'turn off' | 'codes'

function Security({ factors, mailboxProven, password, recoveryCodesLeft }: Factors & SecurityTabProps) {
  const [modal, setModal] = useState<Modal>()
  const close = () => setModal(undefined)
  // What continues once the mailbox is proven, and the button that started it.
  const [waiting, setWaiting] = useState<{ go: () => void }>()
  const [opener, setOpener] = useState<Element | null>(null)
  const withMailbox = (go: () => void) => {
    setOpener(document.activeElement)
    if (mailboxProven) go()
    else setWaiting({ go })
  }
  const app = factors.find(({ kind }) => kind === 'totp')
  const passkeys = factors.filter(({ kind }) => kind === 'passkey')
  const isOn = factors.length > 0
  return (
    <div className="grid gap-6">
      <Section
        title="Two-step verification"
        state={<Badge tone={isOn ? 'green' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
        action={
          // One button with two labels, so that it still exists when the focus returns to it.
          <Button
            variant={isOn ? 'secondary' : 'primary'}
            onClick={() => (app ? setModal('turn off') : withMailbox(() => setModal('set up')))}
          >
            {app ? 'Turn off' : 'Set up'}
          </Button>
        }
      >
        <p>{explanation(app, passkeys.length)}</p>
        {app && <LastUse factor={app} />}
      </Section>
      {isOn && !mailboxProven && (
        <Notice
          tone="warning"
          title="Your email address is not confirmed"
          action={
            <Button variant="secondary" onClick={() => withMailbox(() => {})}>
              Confirm
            </Button>
          }
        >
          Until it is, whoever reads your email can turn your second step off.
        </Notice>
      )}
      {isOn && (
        <Section
          title="Recovery codes"
          action={
            <Button variant="secondary" onClick={() => setModal('codes')}>
              New recovery codes
            </Button>
          }
        >
          <CodesLeft left={recoveryCodesLeft} />
        </Section>
      )}
      <Passkeys
        passkeys={passkeys}
        isOnlyFactor={!app}
        withMailbox={withMailbox}
        opener={opener}
        onAdded={() => recoveryCodesLeft === 0 && setModal('codes')}
      />
      {waiting && (
        <ConfirmMailboxDialog
          reason="Once you have entered it, nobody can turn your second step off with access to your email alone."
          onConfirmed={() => {
            setWaiting(undefined)
            waiting.go()
          }}
          onClose={() => setWaiting(undefined)}
        />
      )}
      {modal === 'set up' && (
        <SetUpDialog
          password={password}
          recoveryCodesLeft={recoveryCodesLeft}
          opener={opener}
          onClose={close}
        />
      )}
      {modal === 'turn off' && app && (
        <ConfirmTurnOff factor={app} isLast={passkeys.length === 0} onClose={close} />
      )}
      {modal === 'codes' && <NewCodesDialog recoveryCodesLeft={recoveryCodesLeft} onClose={close} />}
    </div>
  )
}

function explanation(app: Factor | undefined, passkeys: number): string {
  if (app) return 'After the password, your account asks for a code from your authenticator app.'
  if (passkeys > 0)
    return 'After the password, your account asks for a passkey. Set up an authenticator app to use its codes, too.'
  return 'Ask for a code from an app on your phone after the password, so that a stolen password is not enough.'
}

function CodesLeft({ left }: { left: number }) {
  if (left === 0)
    return (
      <Notice tone="warning" title="You have no recovery codes">
        If you lose your phone or passkey, only a recovery code lets you in. Make new ones and keep them in a
        safe place.
      </Notice>
    )
  return (
    <p>
      {left} of {recoveryCodeCount} left. Each lets you in once when you do not have your phone or passkey.
    </p>
  )
}

const failed = 'Failed to make recovery codes. Please try again.'

type NewCodesDialogProps = {
  recoveryCodesLeft: number
  onClose: () => void
}

/** Creates a new set of recovery codes and shows them once. It stays open until the person has saved the codes. */
function NewCodesDialog({ recoveryCodesLeft, onClose }: NewCodesDialogProps) {
  // The number of codes that stop working: as many as there were before.
  const [replaced] = useState(recoveryCodesLeft)
  const [codes, setCodes] = useState<string[]>()
  const readAgain = useReadAgain()
  const make = api.factors.newRecoveryCodes.useMutation({
    onSuccess: ({ recoveryCodes }) => {
      setCodes(recoveryCodes)
      void readAgain()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={() => !make.isPending && onClose()}
      dismissible={!codes}
      title={codes ? 'Your recovery codes' : 'New recovery codes'}
      footer={
        codes ? (
          <Button onClick={onClose}>I have kept them</Button>
        ) : (
          <>
            <Button variant="secondary" disabled={make.isPending} onClick={onClose}>
              {replaced === 0 ? 'Not now' : 'Cancel'}
            </Button>
            <Button busy={make.isPending} busyLabel="Making codes..." onClick={() => make.mutate()}>
              Make new codes
            </Button>
          </>
        )
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} replaced={replaced} />
      ) : (
        <div className="grid gap-4">
          <FormError>{make.error && failureText(make.error, { failed, noResponse: failed })}</FormError>
          <p>
            {replaced === 0
              ? 'You have no recovery codes yet. They let you in if you lose your phone or passkey.'
              : `The ${replaced === 1 ? 'code that you have' : `${replaced} codes that you have`} will stop working.`}
          </p>
        </div>
      )}
    </Dialog>
  )
}
