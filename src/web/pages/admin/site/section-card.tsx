import { memo, useCallback } from 'react'
import type { FieldErrors } from '../../../../domain/errors.ts'
import { api, currentOf } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { toast } from '../../../ui/toast.ts'
import { ClashNotice } from './clash-notice.tsx'
import type { DraftState, SavedSection, SectionDraft } from './section-draft.ts'
import type { SectionForm } from './section-form.ts'
import { sectionForms } from './sections/section-forms.tsx'
import { sectionLabels } from './sections/section-labels.ts'
import { useSectionDraft, useShowSection } from './use-section-draft.ts'

type SectionCardProps = {
  draft: SectionDraft
  /** What keeps the whole draft from being published. */
  faults: FieldErrors
}

/** Where the card of a section is. */
export const sectionCardId = (name: string) => `section-${name}`

/** One section of the site's words; it saves as the owner types. */
export const SectionCard = memo(function SectionCard({ draft, faults }: SectionCardProps) {
  const { name } = draft
  const state = useSectionDraft(draft)
  const label = sectionLabels[name]
  const Form = sectionForms[name] as SectionForm<typeof name>
  const isChanged = state.saved.changed || state.unsaved
  /** The button that was pressed is gone. */
  const focusCard = () => document.getElementById(sectionCardId(name))?.focus({ preventScroll: true })
  const message = Object.keys(state.faults).length === 0 ? state.message : undefined
  return (
    <Card
      id={sectionCardId(name)}
      aria-label={label}
      // What gets the focus must not be under the bar above.
      className={classNames(
        'scroll-mt-16 focus:outline-none sm:scroll-mt-32 lg:scroll-mt-28',
        '[&_:is(input,textarea,select,button,a)]:scroll-mt-14 sm:[&_:is(input,textarea,select,button,a)]:scroll-mt-28 lg:[&_:is(input,textarea,select,button,a)]:scroll-mt-24',
      )}
      tabIndex={-1}
    >
      <CardHeader
        className="min-h-16"
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {label}
            {isChanged && <Badge tone="yellow">Changed</Badge>}
          </span>
        }
        action={
          <>
            <SaveState
              state={state}
              onRetry={() => void draft.flush().then(isSaved => isSaved && focusCard())}
            />
            {isChanged && !state.theirs && <UndoButton draft={draft} label={label} />}
          </>
        }
      />
      <CardBody className="grid gap-5">
        {state.theirs && (
          <ClashNotice draft={draft} mine={state.body} theirs={state.theirs} onChosen={focusCard} />
        )}
        {state.restored && !state.theirs && (
          <p className="text-muted">These words were not saved at your last visit. They are back.</p>
        )}
        <FormError>{message}</FormError>
        <Form
          body={state.body}
          onChange={draft.change}
          onLeave={draft.leave}
          faults={{ ...faultsOf(name, faults), ...state.faults }}
        />
      </CardBody>
    </Card>
  )
})

function SaveState({ state: { phase, theirs }, onRetry }: { state: DraftState; onRetry: () => void }) {
  const texts = { idle: '', waiting: '', saving: 'Saving...', saved: 'Saved', failed: 'Not saved' }
  return (
    <>
      <span
        role="status"
        className={classNames(
          'empty:sr-only',
          phase === 'failed' ? 'font-semibold text-red' : 'text-[0.9375rem] text-muted',
        )}
      >
        {texts[phase]}
      </span>
      {phase === 'failed' && !theirs && (
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </>
  )
}

/** Resets the section to what is published. */
function UndoButton({ draft, label }: { draft: SectionDraft; label: string }) {
  const discard = api.editor.discardSection.useMutation()
  const show = useShowSection()
  const undo = useCallback(async () => {
    await draft.whenSent()
    const { body, saved } = draft.state()
    try {
      const section = saved.changed ? await discarded(saved) : saved
      draft.reset(section)
      toast.withAction('Changes undone', { label: 'Put back', run: () => draft.change(body) })
      document.getElementById(sectionCardId(draft.name))?.focus()
    } catch (error) {
      toastFailure(error, 'Failed to undo the changes')
      const current = currentOf<SavedSection>(error)
      if (current) draft.receive(current)
    }

    async function discarded({ name, version }: SavedSection) {
      const answer = await discard.mutateAsync({ section: name, version })
      await show(answer)
      return answer.section
    }
  }, [draft, discard.mutateAsync, show])
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={discard.isPending}
      aria-label={`Undo changes of ${label}`}
      onClick={() => void undo()}
    >
      Undo changes
    </Button>
  )
}

/** Of all faults those of a section, by path within it. */
function faultsOf(name: string, faults: FieldErrors): FieldErrors {
  const start = `${name}.`
  return Object.fromEntries(
    Object.entries(faults).flatMap(([path, message]) =>
      path.startsWith(start) ? [[path.slice(start.length), message]] : [],
    ),
  )
}
