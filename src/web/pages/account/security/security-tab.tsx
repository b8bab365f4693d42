import { useState } from 'react'
import { recoveryCodeCount } from '../../../../domain/accounts/recovery-code.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { ConfirmMailboxDialog } from './confirm-mailbox-dialog.tsx'
import { ConfirmTurnOff } from './confirm-removal.tsx'
import { NewCodesDialog } from './new-codes-dialog.tsx'
import { Passkeys } from './passkeys.tsx'
import { LastUse, Section } from './section.tsx'
import { type Factor, type Factors, useFactors } from './security-data.ts'
import { SetUpDialog } from './set-up-dialog.tsx'

/** The account's second factors and recovery codes. */
export function SecurityTab() {
  return (
    <QueryView query={useFactors()} loading="Loading..." error="Failed to load your security settings">
      {factors => <Security {...factors} />}
    </QueryView>
  )
}

type Modal = 'set up' | 'turn off' | 'codes'

function Security({ factors, mailboxProven, recoveryCodesLeft }: Factors) {
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
          title="Your e-mail address is not confirmed"
          action={
            <Button variant="secondary" onClick={() => withMailbox(() => {})}>
              Confirm
            </Button>
          }
        >
          Until it is, whoever reads your mail can turn your second step off.
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
          reason="Once you have entered it, nobody can turn your second step off with access to your mail alone."
          onConfirmed={() => {
            setWaiting(undefined)
            waiting.go()
          }}
          onClose={() => setWaiting(undefined)}
        />
      )}
      {modal === 'set up' && (
        <SetUpDialog recoveryCodesLeft={recoveryCodesLeft} opener={opener} onClose={close} />
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
