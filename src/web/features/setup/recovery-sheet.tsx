import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { api, type Outputs } from '../../api/api.ts'
import { refusalOr } from '../../api/failures.ts'
import { saveFile } from '../../api/files.ts'
import { useSite } from '../../api/site.ts'
import { useLeaveQuestion } from '../../forms/use-leave-question.ts'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import '../../ui/printed-sheet.css'
import { FormEnd } from './setup-parts.tsx'

type Sheet = Outputs['backups']['sheet']

type RecoverySheetProps = { hasOne: boolean; onDone?: (() => void) | undefined }

/** Makes the recovery sheet, without which nobody opens the backups when this machine is lost (INST-21). */
export function RecoverySheet({ hasOne, onDone }: RecoverySheetProps) {
  const [sheet, setSheet] = useState<Sheet>()
  const make = api.backups.sheet.useMutation({ onSuccess: setSheet })
  if (sheet)
    return (
      <ShownSheet
        sheet={sheet}
        onDone={() => {
          setSheet(undefined)
          onDone?.()
        }}
      />
    )
  return (
    <div className="grid gap-4 border-t border-line pt-5">
      {!hasOne && (
        <Notice tone="warning" title="Without a recovery sheet nobody can open these backups">
          They are encrypted, and the key is on this machine. Print the sheet and keep it where you keep
          papers.
        </Notice>
      )}
      <FormError>
        {make.error ? refusalOr(make.error, 'Failed to make the recovery sheet') : undefined}
      </FormError>
      <div>
        <Button
          variant={hasOne ? 'secondary' : 'primary'}
          busy={make.isPending}
          busyLabel="Making the sheet..."
          onClick={() => make.mutate()}
        >
          {hasOne ? 'New recovery sheet' : 'Make the recovery sheet'}
        </Button>
      </div>
    </div>
  )
}

const typedGroups = z.object({ first: z.string(), second: z.string() })

function ShownSheet({ sheet, onDone }: { sheet: Sheet; onDone: () => void }) {
  const utils = api.useUtils()
  const confirm = api.backups.confirm.useMutation()
  const zodForm = useZodForm(typedGroups, { first: '', second: '' })
  const field = fieldPropsOf(zodForm)
  const rows = useSheetRows(sheet)
  useLeaveQuestion(true)
  const { busy, formError, submit } = useFormSubmit(
    zodForm,
    async ({ first, second }) => {
      utils.backups.get.setData(undefined, await confirm.mutateAsync({ groups: [first, second] }))
      toast.success('The recovery sheet is valid')
      onDone()
    },
    error => refusalOr(error, 'Failed to check the recovery sheet'),
  )
  const text = rows.map(([label, value]) => `${label}:\n${value}\n`).join('\n')
  const [one = 1, two = 2] = sheet.asked
  return (
    <div className="grid gap-5 border-t border-line pt-5">
      <p>
        Whoever has this sheet can open your backups. Print it, and keep it where you keep papers.{' '}
        <strong>It is not shown again.</strong>
      </p>
      <div data-recovery-sheet className="rounded-control border border-line bg-canvas/60 p-4 sm:p-6">
        <dl className="grid gap-4">
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt className="text-[0.9375rem] text-muted">{label}</dt>
              <dd className="font-mono wrap-anywhere text-navy">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => window.print()}>
          <Printer aria-hidden />
          Print
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-sheet.txt')}
        >
          <Download aria-hidden />
          Download
        </Button>
      </div>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <p>Type two groups of the phrase from the sheet, so that you know it can be read.</p>
        <div className="grid max-w-md grid-cols-2 gap-5">
          <TextField label={`Group ${one}`} autoComplete="off" maxLength={9} {...field('first')} />
          <TextField label={`Group ${two}`} autoComplete="off" maxLength={9} {...field('second')} />
        </div>
        <FormEnd error={formError} busy={busy} busyLabel="Checking..." label="I have the sheet" />
      </form>
    </div>
  )
}

function useSheetRows({ command, phrase, secretKey, target, user }: Sheet): [label: string, value: string][] {
  const site = useSite()
  const made = formatMomentDate(new Date().toISOString(), site?.timeZone ?? 'UTC')
  return [
    ['Recovery sheet of', `${site?.propertyName || 'this site'} (${location.origin}), ${made}`],
    ['Phrase', phrase],
    ['Where the backups are', target],
    ...(user ? [['User or access key', user] as [string, string]] : []),
    ...(secretKey ? [['Secret key', secretKey] as [string, string]] : []),
    ['To restore on another machine, with this program installed', command],
  ]
}
