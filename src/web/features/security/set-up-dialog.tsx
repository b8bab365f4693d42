import { Copy, Smartphone } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { totpConfirmForm, totpSetupForm } from '../../../domain/accounts/account-safety-form.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { api } from '../../api/api.ts'
import { failureOf, refusalOr } from '../../api/failures.ts'
import { CurrentPasswordField, useAccountForm } from '../../forms/account-form.tsx'
import { useReadAgain } from '../../forms/change.ts'
import { useZodForm, type ZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { copyText, RecoveryCodes } from './recovery-codes.tsx'
import type { TotpSetup } from './section.tsx'

const failed = 'Failed to set up two-step verification. Please try again.'
const texts = { failed, noResponse: failed }

type Step =
  | { is: 'password'; refusal?: string }
  | { is: 'code'; setup: TotpSetup }
  | { is: 'codes'; codes: string[] }
type GoTo = (step: Step) => void

type SetUpDialogProps = {
  /** Sent at once instead of asking for it. */
  password?: string | undefined
  recoveryCodesLeft: number
  opener: Element | null
  onClose: () => void
}

/**
 * Sets up an authenticator app: asks for the password, then for a code from the app, then shows the recovery codes
 * once.
 */
export function SetUpDialog({ password: known, recoveryCodesLeft, opener, onClose }: SetUpDialogProps) {
  // The number of codes that stop working: as many as there were before.
  const [replaced] = useState(recoveryCodesLeft)
  const [step, goTo] = useState<Step>({ is: 'password' })
  const formId = useId()
  const password = usePasswordForm(goTo, known)
  const code = useCodeForm(goTo, onClose)
  if (step.is === 'codes')
    return (
      <Dialog
        open
        onOpenChange={onClose}
        dismissible={false}
        opener={opener}
        title="Your recovery codes"
        footer={<Button onClick={onClose}>I have kept them</Button>}
      >
        <RecoveryCodes codes={step.codes} replaced={replaced} />
      </Dialog>
    )
  const { submit, formError, busy } = step.is === 'password' ? password : code
  return (
    <Dialog
      open
      onOpenChange={() => !busy && onClose()}
      opener={opener}
      title="Set up two-step verification"
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            busy={busy}
            busyLabel={step.is === 'password' ? 'Checking...' : 'Turning on...'}
          >
            {step.is === 'password' ? 'Continue' : 'Turn on'}
          </Button>
        </>
      }
    >
      <form key={step.is} id={formId} noValidate onSubmit={submit} className="grid gap-5">
        {step.is === 'password' ? (
          <>
            <p>For your security, please enter your password first.</p>
            <FormError>{formError ?? step.refusal}</FormError>
            <CurrentPasswordField label="Your password" {...password.field('password')} />
            {known !== undefined && <SentAtOnce />}
          </>
        ) : (
          <AuthenticatorKey setup={step.setup} error={formError} codeField={code.field('code')} />
        )}
      </form>
    </Dialog>
  )
}

/** Submits the form that it is in. */
function SentAtOnce() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => place.current?.closest('form')?.requestSubmit(), [])
  return <span ref={place} hidden />
}

function usePasswordForm(goTo: GoTo, known = '') {
  const setUp = api.factors.setUpTotp.useMutation()
  const form = useZodForm(totpSetupForm, { password: known })
  return useAccountForm(form, texts, async input => {
    const setup = await focusAgain(form, 'password', setUp.mutateAsync(input))
    form.reset()
    goTo({ is: 'code', setup })
  })
}

function useCodeForm(goTo: GoTo, onClose: () => void) {
  const utils = api.useUtils()
  const confirm = api.factors.confirmTotp.useMutation()
  const readAgain = useReadAgain()
  const form = useZodForm(totpConfirmForm, { code: '' })
  return useAccountForm(form, texts, async input => {
    try {
      const { recoveryCodes } = await focusAgain(form, 'code', confirm.mutateAsync(input))
      goTo({ is: 'codes', codes: recoveryCodes })
      toast.success(safetyMessages.setUp)
      void readAgain()
    } catch (error) {
      const { status } = failureOf(error)
      if (status !== 409 && status !== 410) throw error
      form.reset()
      const { factors } = await utils.factors.list.fetch(undefined, { staleTime: 0 })
      if (!factors.some(({ kind }) => kind === 'totp'))
        return goTo({ is: 'password', refusal: refusalOr(error, failed) })
      // It is turned on already, perhaps by a call whose response with the codes was lost.
      toast.info(refusalOr(error, failed), 'If you have no recovery codes, make new ones.')
      onClose()
    }
  })
}

/** Moves the focus back to a field whose value was refused, and selects its text. */
async function focusAgain<Values extends FieldValues, Output, Result>(
  form: ZodForm<Values, Output>,
  name: FieldPath<Values>,
  result: Promise<Result>,
): Promise<Result> {
  try {
    return await result
  } catch (error) {
    form.setFocus(name, { shouldSelect: true })
    throw error
  }
}

type AuthenticatorKeyProps = {
  setup: TotpSetup
  error: string | undefined
  codeField: Partial<Parameters<typeof TextField>[0]>
}

/** The authenticator app's key, as a QR code and as text, and the field for the first code. */
function AuthenticatorKey({ setup: { secret, qrSvg, otpauthUrl }, error, codeField }: AuthenticatorKeyProps) {
  const intro = useRef<HTMLParagraphElement>(null)
  const key = useRef<HTMLElement>(null)
  // Starts at the intro, so that a screen reader reads the instructions before the code field.
  useEffect(() => intro.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <p ref={intro} tabIndex={-1} className="focus:outline-none">
        Scan this picture with an authenticator app on your phone, or enter the key in the app by hand. Both
        work for 10 minutes.
      </p>
      <div className="grid items-center gap-5 sm:grid-cols-[auto_1fr]">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
          alt="QR code of the key"
          width={176}
          height={176}
          className="justify-self-center rounded-control border border-line bg-white"
        />
        <div className="grid min-w-0 gap-3">
          <dl>
            <dt className="text-[0.9375rem] text-muted">Key</dt>
            <dd ref={key} className="font-mono text-lg wrap-anywhere text-ink">
              {secret.replace(/.{4}(?=.)/g, '$& ')}
            </dd>
          </dl>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              variant="secondary"
              onClick={() => void copyText(secret, 'Key copied', key.current)}
            >
              <Copy aria-hidden />
              Copy key
            </Button>
            <Button asChild size="sm" variant="secondary">
              <a href={otpauthUrl}>
                <Smartphone aria-hidden />
                Open on this device
              </a>
            </Button>
          </div>
        </div>
      </div>
      <FormError>{error}</FormError>
      <TextField
        label="6-digit code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="The app shows a new one every 30 seconds."
        {...codeField}
      />
    </>
  )
}
