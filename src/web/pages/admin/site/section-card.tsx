import { ChevronRight } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useCallback, useEffect } from 'react'
import type { FieldErrors } from '../../../../domain/common/errors.ts'
import { type SectionName, type SiteContent, sectionNames } from '../../../../domain/content/content.ts'
import { compareContent } from '../../../../domain/content/content-compare.ts'
import { draftMessages } from '../../../../domain/content/content-draft.ts'
import { contentMessages } from '../../../../domain/content/content-text.ts'
import { api } from '../../../api/api.ts'
import { conflictingVersionOf } from '../../../api/failures.ts'
import { useSite } from '../../../api/site.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { toast } from '../../../ui/toast.ts'
import { StaleNotice } from '../stale-notice.tsx'
import { summaryOf } from './change-text.ts'
import type { SavedSection, SectionDraft, SectionState } from './section-draft.ts'
import { type AnySectionForm, labelOfPath, type SectionForm } from './sections/field-binding.ts'
import { sectionLabels } from './sections/section-labels.ts'
import { useSection, useShowSection } from './use-section-draft.ts'

// The comparison is heavy.
const ChangeRows = lazy(() => import('./change-list.tsx').then(m => ({ default: m.ChangeRows })))

type SectionCardProps = {
  draft: SectionDraft
  Form: AnySectionForm
  /** The errors that prevent the whole draft from being published. */
  errors: FieldErrors
  isOpen: boolean
  /** Whether the section is still as shipped, or shows the shipped pictures. */
  isExample?: boolean
  /** Opens or closes the section; without it, the section is always open. */
  onShow?: (name: SectionName, isShown: boolean) => void
  /** Below the form. */
  children?: ReactNode
}

/** The id of a section's card. */
const sectionCardId = (name: string) => `section-${name}`

/** Keeps a focused element below what stays at the top. */
const belowBarClass = classNames(
  'scroll-mt-20 focus:outline-none sm:scroll-mt-52 lg:scroll-mt-28',
  '[&_:is(fieldset,input,textarea,select,button,a)]:scroll-mt-20 sm:[&_:is(fieldset,input,textarea,select,button,a)]:scroll-mt-52 lg:[&_:is(fieldset,input,textarea,select,button,a)]:scroll-mt-28',
)

/** A section of the site's content, which saves automatically while the owner types. */
export const SectionCard = memo(function SectionCard(props: SectionCardProps) {
  const { draft, Form, errors, isExample, isOpen, onShow, children } = props
  const { name } = draft
  const state = useSection(draft)
  const label = sectionLabels[name]
  const isChanged = state.saved.changed || state.unsaved
  const ownErrors = { ...errorsOf(name, errors), ...state.errors }
  const missing = [...new Set(Object.entries(ownErrors).map(lackOf))].join(' · ')
  // Empty fields are not errors until the site has been opened once.
  const isNew = useSite()?.opening === 'never'
  // A section that needs the owner's attention is expanded, and stays expanded afterwards.
  const isWaiting = state.phase === 'failed' || state.theirs !== undefined
  const isShown = isOpen || isWaiting
  useEffect(() => {
    if (isWaiting) onShow?.(name, true)
  }, [isWaiting, onShow, name])
  /** The clicked button is gone, so the card gets the focus. */
  const focusCard = () => document.getElementById(sectionCardId(name))?.focus({ preventScroll: true })
  return (
    <Card id={sectionCardId(name)} aria-label={label} className={belowBarClass} tabIndex={-1}>
      <CardHeader
        headingLevel={onShow ? 3 : 2}
        // The button covers the whole card except the actions.
        className={classNames(
          'relative min-h-16 flex-nowrap! [&>*+*]:relative [&>*+*]:shrink-0',
          !isShown && 'border-b-0',
        )}
        title={
          <span className={classNames('flex flex-wrap items-center gap-x-3 gap-y-1', onShow && 'pl-7')}>
            {onShow ? (
              <SectionButton label={label} isShown={isShown} onPress={() => onShow(name, !isShown)} />
            ) : (
              label
            )}
            {isChanged && <Badge tone="yellow">Changed</Badge>}
            {missing && <Badge tone="red">Incomplete</Badge>}
            {isExample && !missing && <Badge>Example</Badge>}
          </span>
        }
        subtitle={
          (missing || !isShown) && (
            <span className={classNames(onShow && 'pl-7', missing ? 'line-clamp-2' : 'block truncate')}>
              {missing || summaryOf(state.body) || 'Nothing entered'}
            </span>
          )
        }
        action={
          <>
            <SaveState
              state={state}
              onRetry={() => void draft.flush().then(isSaved => isSaved && focusCard())}
            />
            {isChanged && !state.theirs && <UndoButton draft={draft} label={label} />}
            {name === 'gallery' && !isShown && <AddPictures onShow={() => onShow?.(name, true)} />}
          </>
        }
      />
      {isShown && (
        <SectionBody
          {...{ draft, Form, state }}
          errors={isNew ? state.errors : ownErrors}
          onChosen={focusCard}
        />
      )}
      {children}
    </Card>
  )
})

type SectionButtonProps = { label: string; isShown: boolean; onPress: () => void }

function SectionButton({ label, isShown, onPress }: SectionButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isShown}
      className="group -ml-7 flex items-center gap-2 text-left after:absolute after:inset-0"
      onClick={onPress}
    >
      <ChevronRight
        aria-hidden
        className="size-5 shrink-0 text-muted transition-transform group-aria-expanded:rotate-90"
      />
      {label}
    </button>
  )
}

function SaveState({ state: { phase, theirs }, onRetry }: { state: SectionState; onRetry: () => void }) {
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

/** Opens the section, and the dialog of its box for pictures. */
function AddPictures({ onShow }: { onShow: () => void }) {
  // A browser opens the dialog only shortly after the click.
  const choose = (tries = 60) => {
    const input = document.querySelector<HTMLInputElement>(`#${sectionCardId('gallery')} input[type=file]`)
    if (input) input.click()
    else if (tries > 0) requestAnimationFrame(() => choose(tries - 1))
  }
  return (
    <Button
      variant="secondary"
      size="sm"
      onPointerEnter={() => void import('./sections/gallery-form.tsx')}
      onClick={() => {
        onShow()
        choose()
      }}
    >
      Add pictures
    </Button>
  )
}

/** Resets the section to its published state. */
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
      const current = conflictingVersionOf<SavedSection>(error)
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
      Undo
    </Button>
  )
}

/** `No headline yet`, or what else is wrong with a field. */
const lackOf = ([path, message]: [string, string]) => {
  if (message === contentMessages.noRooms) return 'No bedrooms or bathrooms yet'
  return message === contentMessages.required(path.split('.'))
    ? `No ${labelOfPath(path).toLowerCase()} yet`
    : message
}

/** The errors of one section, by path within the section. */
function errorsOf(name: string, errors: FieldErrors): FieldErrors {
  const start = `${name}.`
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) =>
      path.startsWith(start) ? [[path.slice(start.length), message]] : [],
    ),
  )
}

type SectionBodyProps = Pick<SectionCardProps, 'draft' | 'Form'> & {
  state: SectionState
  /** The errors by path within the section. */
  errors: FieldErrors
  /** Called after one of two conflicting versions was chosen. */
  onChosen: () => void
}

/** The form of a section, below its notices. */
function SectionBody({ draft, Form: AnyForm, state, errors, onChosen }: SectionBodyProps) {
  const { name } = draft
  const Form = AnyForm as SectionForm<typeof name>
  return (
    <CardBody className="grid gap-5">
      {state.theirs && (
        <SectionConflict draft={draft} mine={state.body} theirs={state.theirs} onChosen={onChosen} />
      )}
      <FormError>{Object.keys(state.errors).length === 0 ? state.message : undefined}</FormError>
      <div className={classNames('grid min-w-0 grid-cols-1 gap-6', name !== 'gallery' && 'max-w-4xl')}>
        <Form
          section={name}
          path=""
          value={state.body as SiteContent[typeof name]}
          onChange={draft.change}
          onLeave={draft.leave}
          errors={errors}
        />
      </div>
    </CardBody>
  )
}

type SectionConflictProps = Pick<SectionBodyProps, 'draft' | 'onChosen'> & {
  mine: object
  theirs: SavedSection
}

/** Two conflicting versions of a section, of which the owner has to choose one. */
function SectionConflict({ draft, mine, theirs, onChosen }: SectionConflictProps) {
  const choose = (choice: 'keepMine' | 'takeTheirs') => () => {
    draft[choice]()
    onChosen()
  }
  return (
    <StaleNotice
      title={draftMessages.staleSection}
      saved={{ by: theirs.updatedBy, at: theirs.updatedAt }}
      choices={[
        { label: 'Keep mine', onChoose: choose('keepMine') },
        { label: 'Take theirs', onChoose: choose('takeTheirs') },
      ]}
    >
      <div className="mt-3">
        <Suspense>
          <ChangeRows
            changes={compareSection(draft.name, theirs.body, mine)}
            sides={{
              before: 'Theirs',
              after: 'Mine',
              onlyBefore: 'Only in theirs',
              onlyAfter: 'Only in mine',
            }}
          />
        </Suspense>
      </div>
    </StaleNotice>
  )
}

function compareSection(name: SectionName, from: unknown, to: unknown) {
  const alone = (body: unknown) =>
    Object.fromEntries(sectionNames.map(other => [other, other === name ? body : {}])) as SiteContent
  return compareContent(alone(from), alone(to))
}
