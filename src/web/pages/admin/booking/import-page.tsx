import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { isOverridableError } from '../../../../domain/calendars/calendar-messages.ts'
import { largeCalls } from '../../../../domain/common/large-calls.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Inputs, newId, type Outputs } from '../../../api/api.ts'
import { failureOf, refusalOr } from '../../../api/failures.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { DownloadButton } from '../../../forms/download-button.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Page } from '../../../ui/page.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.ts'
import { ImportPreview } from './import-preview.tsx'

/** Imports bookings from a CSV file after a preview of each row. */
export function ImportPage() {
  const [file, setFile] = useState<File>()
  const check = useCheck()
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    check.reset()
    if (chosen) check.mutate(chosen)
  }
  return (
    <Page
      title="Import bookings"
      subtitle="Bookings that were made elsewhere, from a CSV file"
      back={<BackLink href={paths.adminAvailability}>Back to Availability</BackLink>}
      action={
        <DownloadButton
          path="/api/booking/admin/import/template.csv"
          saveAs="bookings.csv"
          failedText="Failed to download the template"
        >
          Download template
        </DownloadButton>
      }
    >
      <div className="grid gap-6">
        <Card aria-label="File">
          <CardBody>
            <FilePicker
              label="CSV file"
              accept=".csv,text/csv"
              file={file}
              onFile={choose}
              error={check.isError ? checkProblem(check.error) : undefined}
              hint={
                <>
                  At most 500 bookings. You see them before anything is imported.
                  <span className="mt-1 block">
                    Each row needs a name, an email and two dates, such as 6/1/2026. Amounts can be written
                    like $1,250.00. Other columns can stay empty.
                  </span>
                </>
              }
              changeLabel="Choose another file"
              disabled={check.isPending}
            />
          </CardBody>
        </Card>
        {check.isPending && <Spinner label="Checking the file..." />}
        {check.data && <Checked key={check.data.csv} {...check.data} />}
      </div>
    </Page>
  )
}

type ImportResult = Outputs['manualBookings']['import']

class FileError extends Error {}

/** Reads a file and previews its import with a dry run. */
function useCheck() {
  const dryRun = api.manualBookings.import.useMutation()
  return useMutation({
    mutationFn: async (file: File): Promise<{ csv: string; result: ImportResult }> => {
      if (file.size > largeCalls['manualBookings.import']) throw new FileError('A file can be at most 1 MB.')
      const csv = await readText(file)
      return { csv, result: await dryRun.mutateAsync({ csv, dryRun: true }) }
    },
  })
}

async function readText(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileError('Please save the file as UTF-8.')
  }
}

function checkProblem(error: unknown): string {
  if (error instanceof FileError) return error.message
  const failure = failureOf(error)
  if (failure.kind === 'refused' && failure.status === 413) return 'A file can be at most 1 MB.'
  return refusalOr(error, 'Failed to check the file. Please choose it again.')
}

/** The preview of the rows; refetched when the owner changes the override option, or when the import was refused. */
function useImportPreview(csv: string, first: ImportResult) {
  const [result, setResult] = useState(first)
  // If there was something to override once, the option stays, also while a change is being checked.
  const [canOverride, setCanOverride] = useState(first.rows.some(isOverridable))
  const [overrideKey, setOverrideKey] = useState<string>()
  // One request at a time, so that the last response belongs to the last choice.
  const dryRun = api.manualBookings.import.useMutation({ scope: { id: 'import-check' } })
  const check = async (key: string | undefined) => {
    setOverrideKey(key)
    try {
      const next = await dryRun.mutateAsync({ csv, dryRun: true, ...(key && { overrideCalendar: key }) })
      setResult(next)
      // If other nights are taken than the owner has seen, the owner is asked again (FIX-41).
      setOverrideKey(next.overrideKey === key ? key : undefined)
      if (next.rows.some(isOverridable)) setCanOverride(true)
    } catch (error) {
      setOverrideKey(overrideKey)
      toastFailure(error, 'Failed to check the file. Please choose it again.')
    }
  }
  const recheck = () => check(overrideKey)
  const choose = (chosen: boolean) => check(chosen ? result.overrideKey : undefined)
  return { ...result, canOverride, overrideKey, isChecking: dryRun.isPending, choose, recheck }
}

const isOverridable = ({ errors }: ImportResult['rows'][number]) =>
  errors.some(({ message }) => isOverridableError(message))

/** Imports the rows, and then opens the dashboard. */
function useImport(
  choice: Omit<Inputs['manualBookings']['import'], 'dryRun' | 'requestId'>,
  onRefused: () => void,
) {
  const [requestId] = useState(newId)
  const [, navigate] = useLocation()
  const readAgain = useReadAgain()
  const send = api.manualBookings.import.useMutation()
  const importAll = async () => {
    try {
      const { imported } = await send.mutateAsync({ ...choice, dryRun: false, requestId })
      toast.success(`${plural(imported, 'booking')} imported`)
    } catch (error) {
      toastFailure(error, 'Failed to import the bookings')
      if (failureOf(error).kind === 'refused') onRefused()
      return
    }
    void readAgain()
    navigate(paths.adminDashboard)
  }
  return { importAll, send }
}

/** The rows of a file that was checked, and the button to import them. */
function Checked({ csv, result }: { csv: string; result: ImportResult }) {
  const { canOverride, choose, counts, isChecking, overrideKey, recheck, rows } = useImportPreview(
    csv,
    result,
  )
  const [skipDuplicates, setSkipDuplicates] = useState(false)
  const [invite, setInvite] = useState(false)
  const problem = importProblem(counts, skipDuplicates, rows)
  const { importAll, send } = useImport(
    { csv, skipDuplicates, invite, ...(overrideKey && { overrideCalendar: overrideKey }) },
    () => void recheck(),
  )
  return (
    <Card aria-label="Preview">
      <CardHeader title="Preview" subtitle={summary(counts)} />
      <CardBody className="grid gap-5">
        <ImportPreview rows={rows} />
        {counts.duplicates > 0 && (
          <CheckboxField
            label="Skip bookings that are there already"
            checked={skipDuplicates}
            onChange={event => setSkipDuplicates(event.target.checked)}
          />
        )}
        {canOverride && (
          <CheckboxField
            label="Book nights that are taken on other calendars all the same"
            hint="Only if you have cleared them there."
            checked={overrideKey !== undefined}
            onChange={event => void choose(event.target.checked)}
          />
        )}
        <CheckboxField
          label="Invite the guests"
          hint="One email per guest, about the next stay, with a link to set a password."
          checked={invite}
          onChange={event => setInvite(event.target.checked)}
        />
        <FormError>
          {send.isError ? refusalOr(send.error, 'Failed to import the bookings') : undefined}
        </FormError>
        <div className="flex flex-wrap items-center justify-end gap-x-5 gap-y-3 max-sm:*:grow">
          <p role="status" className="text-muted">
            {isChecking ? 'Checking the file...' : problem}
          </p>
          <Button
            size="lg"
            disabled={isChecking || problem !== undefined}
            busy={send.isPending}
            busyLabel="Importing..."
            onClick={() => void importAll()}
          >
            Import {plural(counts.ready, 'Booking')}
          </Button>
        </div>
      </CardBody>
    </Card>
  )
}

const summary = ({ duplicates, errors, ready }: ImportResult['counts']) =>
  [
    `${ready} ready`,
    errors > 0 && `${plural(errors, 'row')} with errors`,
    duplicates > 0 && `${duplicates} already entered`,
  ]
    .filter(Boolean)
    .join(', ')

/** Why the rows cannot be imported as they are. */
function importProblem(
  { duplicates, errors, ready }: ImportResult['counts'],
  skipDuplicates: boolean,
  rows: ImportResult['rows'],
): string | undefined {
  if (errors > 0 && rows.filter(isOverridable).length === errors)
    return 'Book the taken nights all the same, or correct these rows and choose the file again.'
  if (errors > 0) return 'Correct the rows with errors, then choose the file again.'
  if (duplicates > 0 && !skipDuplicates)
    return 'Skip the bookings that are there already, or remove their rows.'
  return ready === 0 ? 'There is nothing to import.' : undefined
}
