import { Pencil } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { type QueryLike, QueryView } from '../../../ui/query-view.tsx'
import type { Reload } from './section-form.tsx'
import { SetupCard } from './setup-card.tsx'

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
