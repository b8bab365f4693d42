import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { saveFile } from '../../api/files.ts'
import { useSite } from '../../api/site.ts'
import { useLeaveQuestion } from '../../forms/use-leave-question.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { useTimeZone } from '../stays/today.ts'
import '../../ui/printed-sheet.css'
import { toast } from '../../ui/toast.ts'

type RecoveryCodesProps = {
  codes: readonly string[]
  /** How many old codes stopped working. */
  replaced: number
}

/** Recovery codes, shown only once, with buttons to copy, download and print them. */
export function RecoveryCodes({ codes, replaced }: RecoveryCodesProps) {
  const intro = useRef<HTMLParagraphElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const heading = useSheetHeading()
  useEffect(() => intro.current?.focus({ preventScroll: true }), [])
  useLeaveQuestion(true)
  const sheet = [heading, 'Each code works once.', '', ...codes, ''].join('\n')
  return (
    <div className="grid gap-4">
      <p ref={intro} tabIndex={-1} className="focus:outline-none">
        Each of these codes lets you in once when you do not have your phone or passkey. Keep them where
        nobody else can find them, but not on the same phone. <strong>They will not be shown again.</strong>
        {replaced > 0 && ' Your previous codes no longer work.'}
      </p>
      <div data-recovery-sheet className="rounded-control border border-line bg-canvas/60 p-4">
        <p className="mb-3 hidden print:block">{heading}</p>
        <ol
          ref={list}
          aria-label="Recovery codes"
          className="grid justify-center gap-x-8 gap-y-1.5 font-mono text-lg text-ink tabular-nums sm:grid-cols-2"
        >
          {codes.map(code => (
            <li key={code} className="text-center">
              {code}
            </li>
          ))}
        </ol>
      </div>
      <div className="grid grid-cols-3 gap-2 max-sm:*:px-2 max-sm:[&_svg]:hidden sm:flex sm:gap-3">
        <Button
          variant="secondary"
          onClick={() => void copyText(sheet, 'Recovery codes copied', list.current)}
        >
          <Copy aria-hidden />
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile(new Blob([sheet], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          <Download aria-hidden />
          Download
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden />
          Print
        </Button>
      </div>
    </div>
  )
}

/** The heading of the printed or downloaded sheet: the account and the site that the codes are for. */
function useSheetHeading(): string {
  const { email } = useUser()
  const timeZone = useTimeZone()
  const date = formatMomentDate(new Date().toISOString(), timeZone)
  return `Recovery codes of ${email} for ${useSite()?.propertyName || 'this site'} (${location.origin}), ${date}.`
}

/** Copies a text to the clipboard. If the browser does not allow it, selects the element that shows the text. */
export async function copyText(text: string, done: string, shownBy: Element | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    if (shownBy) getSelection()?.selectAllChildren(shownBy)
    toast.info('The text is selected', 'Your browser does not let this site copy it.')
  }
}
