import { lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { plural } from '../../../../domain/common/plural.ts'
import type { SectionName } from '../../../../domain/content/content.ts'
import { revisionOf } from '../../../../domain/content/content-draft.ts'
import { api } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { SectionCard } from './section-card.tsx'
import type { Draft } from './section-draft.ts'
import { type AnySectionForm, focusFieldAfterRender } from './sections/field-binding.ts'
import { labelsOf, screenOfSection } from './sections/section-labels.ts'
import { flushAll, type SectionDrafts, useSectionDrafts, useUnsaved } from './use-section-draft.ts'

// The comparison in it is heavy.
const PublishDialog = lazy(() => import('./publish-dialog.tsx').then(m => ({ default: m.PublishDialog })))

type SectionEditorProps = { name: SectionName; Form: AnySectionForm; preview?: boolean }

/** A single section, with its own line for publishing; it is always open. */
export function SectionEditor(section: SectionEditorProps) {
  return <WithDraft>{draft => <OneSection draft={draft} {...section} />}</WithDraft>
}

/** Loads the draft. */
export function WithDraft({ children }: { children: (draft: Draft) => ReactNode }) {
  const query = api.editor.draft.useQuery()
  return (
    <QueryView query={query} loading="Loading site..." error="Failed to load the site">
      {({ draft }) => children(draft)}
    </QueryView>
  )
}

function OneSection({ draft, name, Form, preview }: SectionEditorProps & { draft: Draft }) {
  const drafts = useSectionDrafts(draft, [name])
  const isUnsaved = useUnsaved(drafts).length > 0
  const section = drafts.get(name)
  const leadTo = useLeadTo()
  return (
    section && (
      <SectionCard draft={section} Form={Form} errors={draft.faults} isOpen>
        <PublishBar
          draft={draft}
          drafts={drafts}
          unpublished={draft.sections[name].changed || isUnsaved ? [name] : []}
          preview={preview}
          onShowError={leadTo}
        />
      </SectionCard>
    )
  )
}

/** Focuses a field, on whichever screen it is. */
export function useLeadTo(onShow?: (name: SectionName) => void) {
  const [path, navigate] = useLocation()
  return (name: SectionName, field: string) => {
    if (screenOfSection(name) !== path) navigate(`${screenOfSection(name)}#${name}`)
    else onShow?.(name)
    focusFieldAfterRender(name, field)
  }
}

type DraftProps = { draft: Draft; drafts: SectionDrafts }
type BarProps = DraftProps & {
  unpublished: readonly SectionName[]
  /** The sections that are still as shipped, or show the shipped pictures. */
  examples?: readonly SectionName[]
  /** The sections that are expanded. */
  open?: readonly string[]
  /** A bar for the whole site, which stays at the top except on a phone; otherwise a line for one section. */
  isSticky?: boolean
  preview?: boolean | undefined
  onShowError: (section: SectionName, path: string) => void
}

/** Says what is not published yet, with buttons to preview, discard and publish it. */
export function PublishBar({
  draft,
  drafts,
  unpublished,
  examples = [],
  open: expanded = [],
  isSticky = false,
  preview = isSticky,
  onShowError,
}: BarProps) {
  const [open, setOpen] = useState<'discard' | 'publish'>()
  const text = useRef<HTMLParagraphElement>(null)
  const isPublished = unpublished.length === 0
  const missing = (Object.keys(draft.sections) as SectionName[]).filter(
    name => isSticky && Object.keys(draft.faults).some(path => path.startsWith(name)),
  )
  // Opening the site publishes the draft (OPEN-04).
  const isNew = useSite()?.opening === 'never'
  const isDone = isPublished || isNew
  const done = isNew ? 'Saved. Visitors see it once you open the site.' : 'Everything is published.'
  const others = examples.filter(name => !missing.includes(name))
  const next = missing.find(name => !expanded.includes(name))
  const status = [
    missing[0] ? `Missing: ${labelsOf(missing)}.` : done,
    others[0] && `Still examples: ${plural(others.length, 'section')}.`,
  ].filter(Boolean)
  const close = () => setOpen(undefined)
  const Bar = isSticky ? Card : 'div'
  return (
    <section aria-label="Publishing" className="contents">
      <Bar
        className={classNames(
          barClass,
          isSticky ? 'top-16 z-20 sm:sticky' : 'flex-wrap border-t border-line',
        )}
      >
        <p
          ref={text}
          tabIndex={-1}
          className="min-w-0 sm:line-clamp-2 font-semibold text-navy focus:outline-none"
        >
          {isDone ? status.join(' ') : `Not published: ${labelsOf(unpublished)}.`}
        </p>
        <div className="flex flex-wrap justify-end gap-2 ml-auto sm:shrink-0 max-sm:*:grow max-sm:*:px-4">
          {isSticky && !isPublished && (
            <Button variant="ghost" onClick={() => setOpen('discard')}>
              Discard all
            </Button>
          )}
          {preview && <PreviewButton drafts={drafts} />}
          {isDone && next && <GoToButton section={next} draft={draft} onShowError={onShowError} />}
          {isNew && isSticky && missing.length === 0 && (
            <Button asChild>
              <Link href={paths.adminDashboard}>Go on</Link>
            </Button>
          )}
          {!isDone && (
            <Button onClick={async () => (await isAllSaved(drafts)) && setOpen('publish')}>Publish</Button>
          )}
        </div>
      </Bar>
      {open === 'publish' && (
        <Suspense>
          <PublishDialog onClose={close} onPublished={() => focusLater(text)} onShowError={onShowError} />
        </Suspense>
      )}
      {open === 'discard' && (
        <DiscardAll
          draft={draft}
          drafts={drafts}
          names={unpublished}
          onClose={() => {
            close()
            focusLater(text)
          }}
        />
      )}
    </section>
  )
}

type GoToProps = Pick<BarProps, 'draft' | 'onShowError'> & { section: SectionName }

/** Opens the section and focuses its first missing field. */
function GoToButton({ draft, onShowError, section }: GoToProps) {
  const fault = Object.keys(draft.faults).find(path => path.startsWith(section)) ?? ''
  return (
    <Button onClick={() => onShowError(section, fault.slice(section.length + 1))}>
      Go to {labelsOf([section])}
    </Button>
  )
}

const barClass =
  'flex min-h-16 flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 sm:px-6 lg:flex-nowrap'

/** Runs after the dialog has returned the focus to its button, which is gone now. */
const focusLater = (element: RefObject<HTMLElement | null>) =>
  setTimeout(() => element.current?.focus({ preventScroll: true }), 50)

/** Saves the latest changes before they are previewed or published. */
async function isAllSaved(drafts: SectionDrafts): Promise<boolean> {
  const unsaved = await flushAll(drafts)
  if (unsaved.length > 0) toast.error(`Not saved: ${labelsOf(unsaved)}`, 'Look at these first.')
  return unsaved.length === 0
}

function PreviewButton({ drafts }: { drafts: SectionDrafts }) {
  const link = api.editor.previewLink.useMutation()
  const [busy, setBusy] = useState(false)
  const preview = async () => {
    // Opened right after the click: later, browsers block it as a pop-up.
    const tab = window.open('about:blank', '_blank')
    if (!tab)
      return toast.error('The preview could not be opened', 'Allow this site to open tabs in your browser.')
    tab.opener = null
    tab.document.body.textContent = 'Opening… If asked, confirm in the other tab that it is you.'
    setBusy(true)
    try {
      if (!(await isAllSaved(drafts))) return tab.close()
      tab.location.replace((await link.mutateAsync()).url)
    } catch (error) {
      tab.close()
      toastFailure(error, 'Failed to open the preview')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="secondary" busy={busy} onClick={() => void preview()}>
      Preview
    </Button>
  )
}

type DiscardAllProps = DraftProps & { names: readonly SectionName[]; onClose: () => void }

function DiscardAll({ draft, drafts, names, onClose }: DiscardAllProps) {
  const utils = api.useUtils()
  const discard = api.editor.discardDraft.useMutation()
  return (
    <ConfirmAction
      title="Discard all changes?"
      body={`These lose their unpublished changes: ${labelsOf(names)}.`}
      confirmLabel="Discard all"
      busyLabel="Discarding..."
      failedText="Failed to discard the changes"
      action={async () => {
        await Promise.all([...drafts.values()].map(section => section.whenSent()))
        // The revision that this screen shows: the revision in a response may include changes that others have saved.
        const shown = utils.editor.draft.getData()?.draft ?? draft
        const answer = await discard.mutateAsync({ revision: revisionOf(shown.sections) })
        for (const section of drafts.values()) section.reset(answer.draft.sections[section.name])
        await utils.editor.draft.cancel()
        utils.editor.draft.setData(undefined, answer)
        return 'Changes discarded'
      }}
      onClose={onClose}
    />
  )
}
