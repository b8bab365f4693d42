import { type RefObject, useCallback, useRef, useState } from 'react'
import type { SectionName } from '../../../../domain/content/content.ts'
import { revisionOf } from '../../../../domain/content/content-draft.ts'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { CompareDialog } from './change-list.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { SectionCard } from './section-card.tsx'
import { focusFieldAfterRender } from './sections/field-binding.ts'
import { sectionLabels, sectionNames } from './sections/section-labels.ts'
import {
  type Draft,
  flushAll,
  type SectionDrafts,
  useSectionDrafts,
  useUnsaved,
} from './use-section-draft.ts'

/** The texts of the public pages, with one card per section. */
export function ContentTab() {
  const query = api.editor.draft.useQuery()
  return (
    <QueryView query={query} loading="Loading site..." error="Failed to load the site">
      {({ draft }) => <ContentEditor draft={draft} />}
    </QueryView>
  )
}

function ContentEditor({ draft }: { draft: Draft }) {
  const drafts = useSectionDrafts(draft)
  const [open, setOpen] = useState<readonly SectionName[]>([])
  const show = useCallback(
    (name: SectionName, isShown: boolean) =>
      setOpen(names => [...names.filter(other => other !== name), ...(isShown ? [name] : [])]),
    [],
  )
  const leadTo = (name: SectionName, path: string) => {
    show(name, true)
    focusFieldAfterRender(name, path)
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <PublishBar draft={draft} drafts={drafts} onShowError={leadTo} />
      {sectionNames.map(name => {
        const section = drafts.get(name)
        return (
          section && (
            <SectionCard
              key={name}
              draft={section}
              errors={draft.faults}
              isOpen={open.includes(name)}
              onShow={show}
            />
          )
        )
      })}
    </div>
  )
}

type DraftProps = { draft: Draft; drafts: SectionDrafts }
type BarProps = DraftProps & { onShowError: (section: SectionName, path: string) => void }

/** Shows which sections have unpublished changes, with buttons to preview, compare, discard and publish them. */
function PublishBar({ draft, drafts, onShowError }: BarProps) {
  const unsaved = useUnsaved(drafts)
  const [open, setOpen] = useState<'compare' | 'discard' | 'publish'>()
  const text = useRef<HTMLParagraphElement>(null)
  const names = sectionNames.filter(name => draft.sections[name].changed || unsaved.includes(name))
  const isPublished = names.length === 0
  const close = () => setOpen(undefined)
  /** Saves the latest changes before they are compared or published. */
  const openSaved = async (dialog: 'compare' | 'publish') => {
    if (await isAllSaved(drafts)) setOpen(dialog)
  }
  const others = (
    <>
      <PreviewButton drafts={drafts} />
      {!isPublished && (
        <DraftButtons onCompare={() => void openSaved('compare')} onDiscard={() => setOpen('discard')} />
      )}
    </>
  )
  return (
    <section aria-label="Publishing" className="contents">
      <Card className="sticky top-16 z-20 flex min-h-16 items-center justify-between gap-x-6 gap-y-3 px-5 py-2 max-sm:pr-2 sm:flex-wrap sm:px-6 sm:py-3 lg:flex-nowrap">
        <p
          ref={text}
          tabIndex={-1}
          className="line-clamp-2 min-w-0 font-semibold text-navy focus:outline-none"
        >
          {isPublished ? 'Everything is published.' : `Not published: ${labelsOf(names)}.`}
        </p>
        <div className="flex shrink-0 flex-wrap gap-2">
          <div className="contents max-sm:hidden">{others}</div>
          {!isPublished && <Button onClick={() => void openSaved('publish')}>Publish</Button>}
        </div>
      </Card>
      <div className="mb-1 flex gap-2 *:grow *:px-2 sm:hidden">{others}</div>
      {open === 'compare' && <CompareDialog {...publishedAndDraft} onClose={close} />}
      {open === 'publish' && (
        <PublishDialog onClose={close} onPublished={() => focusLater(text)} onShowError={onShowError} />
      )}
      {open === 'discard' && (
        <DiscardAll
          draft={draft}
          drafts={drafts}
          names={names}
          onClose={() => {
            close()
            focusLater(text)
          }}
        />
      )}
    </section>
  )
}

const publishedAndDraft = {
  from: 'published',
  to: 'draft',
  title: 'The draft and what is published',
  sides: { before: 'Published', after: 'Draft', onlyBefore: 'Removed', onlyAfter: 'Added' },
} as const

const labelsOf = (names: readonly SectionName[]) => names.map(name => sectionLabels[name]).join(', ')

/** Runs after the dialog has returned the focus to its button, which is gone now. */
const focusLater = (element: RefObject<HTMLElement | null>) =>
  setTimeout(() => element.current?.focus({ preventScroll: true }), 50)

async function isAllSaved(drafts: SectionDrafts): Promise<boolean> {
  const unsaved = await flushAll(drafts)
  if (unsaved.length > 0) toast.error(`Not saved: ${labelsOf(unsaved)}`, 'Look at these first.')
  return unsaved.length === 0
}

type DraftButtonsProps = { onCompare: () => void; onDiscard: () => void }

function DraftButtons({ onCompare, onDiscard }: DraftButtonsProps) {
  return (
    <>
      <Button variant="secondary" onClick={onCompare}>
        Compare
      </Button>
      <Button variant="secondary" onClick={onDiscard}>
        Discard all
      </Button>
    </>
  )
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
      onError={() => void utils.editor.invalidate()}
      onClose={onClose}
    />
  )
}
