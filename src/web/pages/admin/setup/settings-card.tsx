import { Pencil } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { type QueryLike, QueryView } from '../../../ui/query-view.tsx'
import type { Reload } from './section-form.tsx'
import { SetupCard } from './setup-card.tsx'

/** What the form of a section of the settings is given. */
export type SettingsFormProps<Saved> = {
  saved: Saved
  reload: Reload<Saved>
  /** Shows what is saved, in place of the form. */
  onClose: () => void
}

type SettingsCardProps<Saved> = Omit<ComponentProps<typeof SetupCard>, 'children'> & {
  query: Omit<QueryLike<Saved>, 'refetch'> & { refetch: Reload<Saved> }
  error: string
  /** What is saved, to be read. */
  itemsOf: (saved: Saved) => ComponentProps<typeof DefinitionList>['items']
  /** The form, with what is shown while its code is loaded. */
  form: (props: SettingsFormProps<Saved> & { fallback: ReactNode }) => ReactNode
  /** Loads the form's code. */
  intent: Pick<ComponentProps<'button'>, 'onPointerEnter' | 'onFocus'>
}

/** A section of the settings: what is saved, and a form in its place while it is edited. */
export function SettingsCard<Saved>(props: SettingsCardProps<Saved>) {
  const { query, error, itemsOf, form, intent, action, ...card } = props
  const [isEdited, setEdited] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  /** What was pressed goes, and the focus with it. */
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
              {...intent}
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
        {saved => {
          const shown = <DefinitionList items={itemsOf(saved)} />
          return isEdited ? form({ saved, reload: query.refetch, onClose: close, fallback: shown }) : shown
        }}
      </QueryView>
    </SetupCard>
  )
}
