import { Copy, Smartphone } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { copyText } from './copy-text.ts'
import type { TotpSetup } from './security-data.ts'

type AuthenticatorKeyProps = {
  setup: TotpSetup
  error: string | undefined
  codeField: Partial<Parameters<typeof TextField>[0]>
}

/** The authenticator app's key, as a QR code and as text, and the field for the first code. */
export function AuthenticatorKey({
  setup: { secret, qrSvg, otpauthUrl },
  error,
  codeField,
}: AuthenticatorKeyProps) {
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
