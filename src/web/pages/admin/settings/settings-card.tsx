import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, FormProvider } from 'react-hook-form'
import { failureOf, refusalOr } from '../../../api/failures.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { FormActions, useEditing } from '../../../forms/form-actions.tsx'
import { useFormSubmit } from '../../../forms/use-submit.ts'
import { useZodForm } from '../../../forms/zod-form.ts'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { type QueryLike, QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { toast } from '../../../ui/toast.ts'
import { StaleNotice } from '../stale-notice.tsx'

type Versioned<Body> = { version: number; body: Body }
type Reload<Body> = () => Promise<{ data: Versioned<Body> | undefined }>

type Section<Values extends FieldValues, Output, Body> = {
  schema: Parameters<typeof useZodForm<Values, Output>>[0]
  /** Converts the settings to the values of the inputs. */
  valuesOf: (body: Body) => Values
  /** The section's procedures; `save` changes the version that was read. */
  settings: {
    get: { useQuery: () => Omit<QueryLike<Versioned<Body>>, 'refetch'> & { refetch: Reload<Body> } }
    save: {
      useMutation: () => {
        mutateAsync: (change: { version: number; body: Output }) => Promise<Versioned<Body>>
      }
    }
  }
  /** What is loaded and saved, as in 'Failed to save the card fee'. */
  what: string
  /** The text of the toast. */
  saved: string
  /** The fields of the form. They need its FormProvider. */
  children: (saved: Body) => ReactNode
}

type SettingsCardProps<Values extends FieldValues, Output, Body> = Section<Values, Output, Body> &
  Pick<ComponentProps<typeof SetupCard>, 'title' | 'subtitle' | 'action'> & {
    /** Lists the saved settings for viewing. */
    itemsOf: (body: Body) => ComponentProps<typeof DefinitionList>['items']
    below?: ReactNode
  }

/** A section of the settings: shows the saved settings, or a form while they are edited. */
export function SettingsCard<Values extends FieldValues, Output, Body>(
  props: SettingsCardProps<Values, Output, Body>,
) {
  const { title, subtitle, action, below, itemsOf, ...section } = props
  const query = section.settings.get.useQuery()
  const edit = useEditing({ preventScroll: true })
  return (
    <SetupCard
      title={title}
      subtitle={subtitle}
      isShort={action === undefined}
      action={
        <>
          {action}
          {query.data !== undefined && edit.button(`Edit: ${title}`)}
        </>
      }
    >
      <QueryView query={query} loading="Loading..." error={`Failed to load ${section.what}`}>
        {stored =>
          edit.isEditing ? (
            <SettingsForm {...section} stored={stored} reload={query.refetch} onClose={edit.close} />
          ) : (
            <DefinitionList items={itemsOf(stored.body)} />
          )
        }
      </QueryView>
      {below}
    </SetupCard>
  )
}

type SettingsFormProps<Values extends FieldValues, Output, Body> = Section<Values, Output, Body> & {
  /** The latest version that was loaded. */
  stored: Versioned<Body>
  reload: Reload<Body>
  /** Called when the form was saved or canceled. */
  onClose: () => void
}

/**
 * Edits a section of the settings with optimistic locking. A version that somebody else saved in the meantime is loaded
 * automatically if the form has no changes, else on request.
 */
function SettingsForm<Values extends FieldValues, Output, Body>(
  props: SettingsFormProps<Values, Output, Body>,
) {
  const { schema, stored, reload, valuesOf, settings, what, saved, onClose, children } = props
  const save = settings.save.useMutation()
  const readAgain = useReadAgain()
  const form = useZodForm<Values, Output>(schema, valuesOf(stored.body) as DefaultValues<Values>)
  const [version, setVersion] = useState(stored.version)
  const [refusal, setRefusal] = useState<string>()
  const { reset } = form
  const { isDirty, isSubmitting } = form.formState
  const isStale = stored.version > version

  const show = (shown: Versioned<Body>) => {
    reset(valuesOf(shown.body))
    setVersion(shown.version)
    setRefusal(undefined)
    setFormError(undefined)
  }
  useEffect(() => {
    if (!isStale || isDirty || isSubmitting) return
    reset(valuesOf(stored.body))
    setVersion(stored.version)
  }, [isStale, isDirty, isSubmitting, reset, stored, valuesOf])

  const { submit, formError, setFormError, busy } = useFormSubmit(
    form,
    async body => {
      try {
        const now = await save.mutateAsync({ version, body })
        show(now)
        await readAgain()
        toast.success(saved)
        onClose()
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== 'refused' || failure.status !== 409) throw error
        setRefusal(failure.message)
        await reload()
      }
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, `Failed to save ${what}`)),
  )
  const stale = isStale && isDirty && (
    <StaleNotice
      title="These settings have changed"
      choices={[{ label: 'Load saved settings', onChoose: () => show(stored) }]}
    >
      {refusal ?? 'Somebody else has saved them since you opened them.'} Loading replaces what you have
      entered here.
    </StaleNotice>
  )
  return (
    <FormProvider {...form}>
      <SectionForm {...{ submit, busy, formError, stale, onClose }}>{children(stored.body)}</SectionForm>
    </FormProvider>
  )
}

type SectionFormProps = {
  submit: (event: FormEvent<HTMLFormElement>) => unknown
  busy: boolean
  formError: string | undefined
  stale: ReactNode
  onClose: () => void
}

// Of radio buttons, Tab reaches only the checked one.
const firstField = 'input:not([type=radio]), input:checked, select, textarea'

/** The form of a section: errors at the top, then the fields, then the buttons. The first field gets the focus. */
export function SectionForm({
  submit,
  busy,
  formError,
  stale,
  onClose,
  children,
}: SectionFormProps & { children: ReactNode }) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => element.current?.querySelector<HTMLElement>(firstField)?.focus(), [])
  return (
    <form ref={element} noValidate onSubmit={submit} className="grid gap-6">
      <FormError>{formError}</FormError>
      {stale}
      {children}
      <FormActions busy={busy} onCancel={onClose} />
    </form>
  )
}
