import { useState } from 'react'
import { formatMoment, formatMomentDate } from '../../../domain/common/dates.ts'
import { plural } from '../../../domain/common/plural.ts'
import { type BackupTarget, backupChange } from '../../../domain/content/backup-target.ts'
import { api, type Outputs } from '../../api/api.ts'
import { refusalOr } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroupField } from '../../ui/choice-fields.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { RecoverySheet } from './recovery-sheet.tsx'
import { FormEnd, type SetupProps, useSecretWords } from './setup-parts.tsx'

type Backups = Outputs['backups']['get']

/** The backups on this machine, and those on another one (INST-20). */
export function BackupsElsewhere({ onDone }: SetupProps) {
  const server = api.notices.server.useQuery()
  const elsewhere = api.backups.get.useQuery()
  const query = server.data ? elsewhere : server
  return (
    <QueryView query={query} loading="Loading backups..." error="Failed to load the state of the backups">
      {() =>
        server.data &&
        elsewhere.data && (
          <div className="grid gap-6">
            <Here backups={server.data.backups} />
            <Elsewhere backups={elsewhere.data} onDone={onDone} />
          </div>
        )
      }
    </QueryView>
  )
}

function Here({ backups }: { backups: Outputs['notices']['server']['backups'] }) {
  const { keep, lastAt, scheduled } = backups
  const timeZone = useSite()?.timeZone ?? 'UTC'
  return (
    <DefinitionList
      items={[
        {
          label: 'On this machine',
          value: scheduled ? `Every day, the last ${plural(keep, 'backup')} kept` : 'Off',
        },
        { label: 'Last backup', value: lastAt ? formatMomentDate(lastAt, timeZone) : 'None yet' },
      ]}
    />
  )
}

function Elsewhere({ backups, onDone }: SetupProps & { backups: Backups }) {
  const [isEditing, setEditing] = useState(false)
  const tries = useTry()
  if (backups.isDemo)
    return (
      <p className="text-muted">
        The demo keeps no backups elsewhere. A real site copies them to storage of yours.
      </p>
    )
  if (!backups.hasRestic)
    return (
      <Notice tone="warning" title="This machine lacks the program that copies backups">
        Whoever runs the server installs it with: <code>apt install restic</code>. Then load this page again.
      </Notice>
    )
  const hasTarget = backups.body.kind !== 'none'
  if (isEditing || !hasTarget)
    return (
      <TargetForm
        backups={backups}
        onSaved={saved => {
          setEditing(false)
          // A server by SFTP has to know the site’s key first.
          if (saved.body.kind !== 'sftp') tries.start()
        }}
        onCancel={hasTarget ? () => setEditing(false) : undefined}
      />
    )
  return <Target backups={backups} tries={tries} onEdit={() => setEditing(true)} onDone={onDone} />
}

/** 'Try it', which makes the repository and asks for a first backup. */
function useTry() {
  const utils = api.useUtils()
  const trying = api.backups.try.useMutation({
    onSuccess: backups => {
      utils.backups.get.setData(undefined, backups)
      toast.success('The backup works')
    },
  })
  return {
    start: () => trying.mutate(),
    busy: trying.isPending,
    error: trying.error ? refusalOr(trying.error, 'Failed to try the backup') : undefined,
  }
}

type TargetProps = SetupProps & { backups: Backups; tries: ReturnType<typeof useTry>; onEdit: () => void }

function Target({ backups, tries, onEdit, onDone }: TargetProps) {
  const { body, failed, isQueued, made, secrets, sheet, sshPublicKey, test } = backups
  const timeZone = useSite()?.timeZone ?? 'UTC'
  const secretWords = useSecretWords()
  const works = made !== null || isQueued
  return (
    <div className="grid gap-5">
      {failed ? (
        <Notice tone="danger" title="The last backup elsewhere failed">
          {failed.reason} It is tried again every hour.
        </Notice>
      ) : made ? (
        <Notice tone="success" title="Backups elsewhere work" />
      ) : isQueued ? (
        <Notice tone="success" title="The backup works">
          The first one is made within minutes.
        </Notice>
      ) : (
        <Notice tone="warning" title="Not tried yet">
          Nothing is copied until it was tried.
        </Notice>
      )}
      <DefinitionList
        items={[
          { label: kindNames[body.kind === 'none' ? 'folder' : body.kind], value: body.address },
          ...(body.user ? [{ label: body.kind === 's3' ? 'Access key' : 'User', value: body.user }] : []),
          ...(body.kind === 's3' ? [{ label: 'Secret key', value: secretWords(secrets.secretKey) }] : []),
          { label: 'Last backup there', value: made ? formatMoment(made.at, timeZone) : 'None yet' },
          {
            label: 'Last test restore',
            value: test
              ? `${formatMomentDate(test.at, timeZone)}: ${test.fault ?? `good, in ${plural(test.seconds, 'second')}${test.isWhole ? '' : ', a part of the files'}`}`
              : 'With the first backup, then every month',
          },
          {
            label: 'Recovery sheet',
            value: sheet?.confirmedAt
              ? `Made on ${formatMomentDate(sheet.confirmedAt, timeZone)}`
              : 'None yet',
          },
        ]}
      />
      {sshPublicKey && (
        <TextField
          label="The site’s key"
          readOnly
          value={sshPublicKey}
          hint="Enter it at the server, as an authorized key of this user"
          className="font-mono"
        />
      )}
      <FormError>{tries.error}</FormError>
      <div className="flex flex-wrap gap-3">
        {works ? (
          <BackUpNow isQueued={isQueued} />
        ) : (
          <Button busy={tries.busy} busyLabel="Trying..." onClick={tries.start}>
            Try it
          </Button>
        )}
        <Button variant="secondary" onClick={onEdit}>
          Change target
        </Button>
      </div>
      {works && <RecoverySheet hasOne={Boolean(sheet?.confirmedAt)} onDone={onDone} />}
    </div>
  )
}

function BackUpNow({ isQueued }: { isQueued: boolean }) {
  const utils = api.useUtils()
  const now = api.backups.now.useMutation({
    onSuccess: () => {
      toast.success('Backup started')
      void utils.backups.invalidate()
    },
    onError: error => toast.error(refusalOr(error, 'Failed to start the backup')),
  })
  return (
    <Button
      variant="secondary"
      busy={now.isPending || isQueued}
      busyLabel="Backing up..."
      onClick={() => now.mutate()}
    >
      Back up now
    </Button>
  )
}

const kindNames: Record<BackupTarget['kind'], string> = { s3: 'Bucket', sftp: 'Server', folder: 'Folder' }
const kindOptions = [
  { value: 's3', label: 'Storage in the cloud', hint: 'A bucket of any provider that speaks S3.' },
  { value: 'sftp', label: 'A server of yours', hint: 'By SFTP, with a key that this site shows.' },
  { value: 'folder', label: 'A folder', hint: 'On a disk that is not in this machine.' },
]
const addressFields: Record<BackupTarget['kind'], { label: string; placeholder: string }> = {
  s3: { label: 'Address of the bucket', placeholder: 'https://s3.eu-central-1.amazonaws.com/my-backups' },
  sftp: { label: 'Server and folder', placeholder: 'backup.example.com/condo' },
  folder: { label: 'Folder', placeholder: '/mnt/backups/condo' },
}

const form = backupChange.omit({ version: true })

type TargetFormProps = {
  backups: Backups
  onSaved: (saved: Backups) => void
  onCancel: (() => void) | undefined
}

function TargetForm({ backups, onSaved, onCancel }: TargetFormProps) {
  const utils = api.useUtils()
  const save = api.backups.save.useMutation()
  const { address, kind, user } = backups.body
  const zodForm = useZodForm(form, {
    body: { kind: kind === 'none' ? 's3' : kind, address, user },
    secrets: { secretKey: '' },
  })
  const field = fieldPropsOf(zodForm)
  const chosen = zodForm.watch('body.kind')
  const { busy, formError, submit } = useFormSubmit(
    zodForm,
    async ({ body, secrets: { secretKey } }) => {
      const change = { version: backups.version, body, secrets: secretKey ? { secretKey } : {} }
      const saved = await save.mutateAsync(change)
      utils.backups.get.setData(undefined, saved)
      onSaved(saved)
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, 'Failed to save where backups go')),
  )
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <p>
        If this machine is lost, so are the backups on it. Have an encrypted copy made every hour, somewhere
        else.
      </p>
      <RadioGroupField label="Where to" cards options={kindOptions} {...field('body.kind')} />
      <TextField required autoComplete="off" {...addressFields[chosen]} {...field('body.address')} />
      {chosen !== 'folder' && (
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={chosen === 's3' ? 'Access key' : 'User'}
            required
            autoComplete="off"
            {...field('body.user')}
          />
          {chosen === 's3' && (
            <PasswordField
              label="Secret key"
              required={!backups.secrets.secretKey.set}
              autoComplete="off"
              hint={backups.secrets.secretKey.set ? 'Empty keeps the saved one' : undefined}
              {...field('secrets.secretKey')}
            />
          )}
        </div>
      )}
      <FormEnd
        error={formError}
        busy={busy}
        busyLabel="Saving..."
        label={chosen === 'sftp' ? 'Save' : 'Save and try it'}
        onCancel={onCancel}
      />
    </form>
  )
}
