import { ChevronDown } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { type SectionName, sectionNames } from '../../../../domain/content.ts'
import { revisionOf } from '../../../../domain/content-draft.ts'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { CompareDialog } from './compare-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { sectionCardId } from './section-card.tsx'
import { sectionLabels } from './sections/section-labels.ts'
import { type Draft, flushAll, type SectionDrafts, useUnsaved } from './use-section-draft.ts'

type BarProps = { draft: Draft; drafts: SectionDrafts }

/** What is not published, and what can be done with it. */
export function PublishBar({ draft, drafts }: BarProps) {
  const unsaved = useUnsaved(drafts)
  const [open, setOpen] = useState<'compare' | 'discard' | 'publish'>()
  const text = useRef<HTMLParagraphElement>(null)
  const names = sectionNames.filter(name => draft.sections[name].changed || unsaved.includes(name))
  const isPublished = names.length === 0
  const close = () => setOpen(undefined)
  /** Nothing is compared or published without the words that were typed last. */
  const openSaved = async (dialog: 'compare' | 'publish') => {
    if (await isAllSaved(drafts)) setOpen(dialog)
  }
  const goTo = <SectionMenu changed={names} />
  const publish = (
    <Button disabled={isPublished} onClick={() => void openSaved('publish')}>
      Publish
    </Button>
  )
  return (
    <section aria-label="Publishing" className="contents">
      <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:sticky sm:top-16 sm:z-20 sm:px-6 lg:flex-nowrap">
        <p
          ref={text}
          tabIndex={-1}
          className="min-w-0 font-semibold text-navy focus:outline-none sm:line-clamp-2"
        >
          {isPublished ? 'Everything is published.' : `Not published: ${labelsOf(names)}.`}
        </p>
        <div className="flex shrink-0 flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
          <div className="contents max-sm:hidden">{goTo}</div>
          <PreviewButton drafts={drafts} />
          <Button variant="secondary" disabled={isPublished} onClick={() => void openSaved('compare')}>
            Compare
          </Button>
          <Button variant="secondary" disabled={isPublished} onClick={() => setOpen('discard')}>
            Discard all
          </Button>
          <div className="contents max-sm:hidden">{publish}</div>
        </div>
      </Card>
      {/* On a phone the page is as long as twenty screens: these two stay in reach. */}
      <Card className="sticky top-16 z-20 -mt-3 grid grid-cols-2 gap-2 p-2 sm:hidden">
        {goTo}
        {publish}
      </Card>
      {open === 'compare' && (
        <CompareDialog
          from="published"
          to="draft"
          title="The draft and what is published"
          sides={{ before: 'Published', after: 'Draft', onlyBefore: 'Removed', onlyAfter: 'Added' }}
          onClose={close}
        />
      )}
      {open === 'publish' && <PublishDialog onClose={close} onPublished={() => focusLater(text)} />}
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

const labelsOf = (names: readonly SectionName[]) => names.map(name => sectionLabels[name]).join(', ')

/** A dialog gives the focus back to its button, which has nothing to do now. */
const focusLater = (element: RefObject<HTMLElement | null>) =>
  setTimeout(() => element.current?.focus({ preventScroll: true }), 50)

/** Leads down the long page. */
function SectionMenu({ changed }: { changed: readonly SectionName[] }) {
  const goTo = (name: SectionName) => {
    const card = document.getElementById(sectionCardId(name))
    card?.scrollIntoView({ block: 'start' })
    // The menu gives the focus back first.
    setTimeout(() => card?.focus({ preventScroll: true }), 50)
  }
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="secondary">
          <span>
            Go to<span className="sr-only"> a part</span>
          </span>
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <div className="max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto">
        {sectionNames.map(name => (
          <MenuItem key={name} className="justify-between" onSelect={() => goTo(name)}>
            {sectionLabels[name]}
            {changed.includes(name) && <Badge tone="yellow">Changed</Badge>}
          </MenuItem>
        ))}
      </div>
    </Menu>
  )
}

async function isAllSaved(drafts: SectionDrafts): Promise<boolean> {
  const unsaved = await flushAll(drafts)
  if (unsaved.length > 0) toast.error(`Not saved: ${labelsOf(unsaved)}`, 'Look at these first.')
  return unsaved.length === 0
}

function PreviewButton({ drafts }: { drafts: SectionDrafts }) {
  const link = api.editor.previewLink.useMutation()
  const [busy, setBusy] = useState(false)
  const preview = async () => {
    // Later, browsers take it for an advertisement and open nothing.
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

type DiscardAllProps = BarProps & { names: readonly SectionName[]; onClose: () => void }

function DiscardAll({ draft, drafts, names, onClose }: DiscardAllProps) {
  const utils = api.useUtils()
  const discard = api.editor.discardDraft.useMutation()
  return (
    <ConfirmAction
      title="Discard all changes?"
      body={`What is not published of these goes: ${labelsOf(names)}.`}
      confirmLabel="Discard all"
      busyLabel="Discarding..."
      failedText="Failed to discard the changes"
      action={async () => {
        await Promise.all([...drafts.values()].map(section => section.whenSent()))
        // Of what this screen shows: an answer's own revision counts what others saved meanwhile.
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
