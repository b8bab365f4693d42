import { Pencil } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FieldValues } from 'react-hook-form'
import { failureOf, refusalOr } from '../../../api/failures.ts'
import { FormActions } from '../../../forms/form-actions.tsx'
import { useFormSubmit } from '../../../forms/use-submit.ts'
import type { ZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { type QueryLike, QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { toast } from '../../../ui/toast.ts'
import { StaleNotice } from '../stale-notice.tsx'

/** The props of a settings form. */
export type SettingsFormProps<Saved> = {
  saved: Saved
  reload: Reload<Saved>
  /** Closes the form and shows the saved settings again. */
  onClose: () => void
}

type SettingsCardProps<Saved> = Omit<ComponentProps<typeof SetupCard>, 'children'> & {
  query: Omit<QueryLike<Saved>, 'refetch'> & { refetch: Reload<Saved> }
  error: string
  /** Lists the saved settings for viewing. */
  itemsOf: (saved: Saved) => ComponentProps<typeof DefinitionList>['items']
  form: (props: SettingsFormProps<Saved>) => ReactNode
}

/** A section of the settings: shows the saved settings, or a form while they are edited. */
export function SettingsCard<Saved>(props: SettingsCardProps<Saved>) {
  const { query, error, itemsOf, form, action, ...card } = props
  const [isEdited, setEdited] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  /** The clicked button is gone, so the Edit button gets the focus. */
  const close = () => {
    flushSync(() => setEdited(false))
    editButton.current?.focus({ preventScroll: true })
  }
  return (
    <SetupCard
      {...card}
      isShort={action === undefined}
      action={
        <>
          {action}
          {!isEdited && query.data !== undefined && (
            <Button
              ref={editButton}
              variant="secondary"
              size="sm"
              aria-label={`Edit: ${card.title}`}
              onClick={() => setEdited(true)}
            >
              <Pencil aria-hidden />
              Edit
            </Button>
          )}
        </>
      }
    >
      <QueryView query={query} loading="Loading..." error={error}>
        {saved =>
          isEdited ? (
            form({ saved, reload: query.refetch, onClose: close })
          ) : (
            <DefinitionList items={itemsOf(saved)} />
          )
        }
      </QueryView>
    </SetupCard>
  )
}

type Versioned<Body> = { version: number; body: Body }
type Reload<Saved> = () => Promise<{ data: Saved | undefined }>

type SectionOptions<Values extends FieldValues, Output, Body> = {
  form: ZodForm<Values, Output>
  /** The latest version that was loaded. */
  saved: Versioned<Body>
  reload: Reload<Versioned<Body>>
  /** Converts the settings to the values of the inputs. */
  valuesOf: (body: Body) => Values
  savedText: string
  failedText: string
  /** Saves changes to the version that was read, and resolves to the saved version. */
  save: (change: { version: number; body: Output }) => Promise<Versioned<Body>>
  /** Called when the form was saved or canceled. */
  onClose: () => void
}

/**
 * Saves a section of the settings with optimistic locking. A version that somebody else saved in the meantime is loaded
 * automatically if the form has no changes, else on request.
 */
export function useSectionForm<Values extends FieldValues, Output, Body>({
  form,
  saved,
  reload,
  valuesOf,
  savedText,
  failedText,
  save,
  onClose,
}: SectionOptions<Values, Output, Body>): SectionFormProps {
  const [version, setVersion] = useState(saved.version)
  const [refusal, setRefusal] = useState<string>()
  const { reset } = form
  const { isDirty, isSubmitting } = form.formState
  const isStale = saved.version > version

  const show = (shown: Versioned<Body>) => {
    reset(valuesOf(shown.body))
    setVersion(shown.version)
    setRefusal(undefined)
    setFormError(undefined)
  }
  useEffect(() => {
    if (!isStale || isDirty || isSubmitting) return
    reset(valuesOf(saved.body))
    setVersion(saved.version)
  }, [isStale, isDirty, isSubmitting, reset, saved, valuesOf])

  const { submit, formError, setFormError, busy } = useFormSubmit(
    form,
    async body => {
      try {
        show(await save({ version, body }))
        toast.success(savedText)
        onClose()
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== 'refused' || failure.status !== 409) throw error
        setRefusal(failure.message)
        await reload()
      }
    },
    (error, isAtField) => (isAtField ? undefined : refusalOr(error, failedText)),
  )
  const stale = isStale && isDirty && (
    <StaleNotice
      title="These settings have changed"
      choices={[{ label: 'Load Saved Settings', onChoose: () => show(saved) }]}
    >
      {refusal ?? 'Somebody else has saved them since you opened them.'} Loading replaces what you have
      entered here.
    </StaleNotice>
  )
  return { submit, busy, formError, stale, onClose }
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
