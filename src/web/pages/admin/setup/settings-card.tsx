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
  /** Renders the form; `fallback` is shown while its code is loading. */
  form: (props: SettingsFormProps<Saved> & { fallback: ReactNode }) => ReactNode
  /** Preloads the form's code. */
  preloadProps: Pick<ComponentProps<'button'>, 'onPointerEnter' | 'onFocus'>
}

/** A section of the settings: shows the saved settings, or a form while they are edited. */
export function SettingsCard<Saved>(props: SettingsCardProps<Saved>) {
  const { query, error, itemsOf, form, preloadProps, action, ...card } = props
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
              {...preloadProps}
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
