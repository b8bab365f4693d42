import { type SiteContent, sectionNames } from '../../../../domain/content/content.ts'
import { compareContent } from '../../../../domain/content/content-compare.ts'
import { draftMessages } from '../../../../domain/content/content-draft.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ChangeRows, type Sides } from './change-list.tsx'
import type { SavedSection, SectionDraft } from './section-draft.ts'

type ConflictNoticeProps = {
  draft: SectionDraft
  mine: unknown
  theirs: SavedSection
  /** Called after the choice, because its button is gone. */
  onChosen: () => void
}

/** Shows two conflicting versions of a section; the owner has to choose one. */
export function ConflictNotice({ draft, mine, theirs, onChosen }: ConflictNoticeProps) {
  const choose = (choice: 'keepMine' | 'takeTheirs') => () => {
    draft[choice]()
    onChosen()
  }
  const changes = compareSection(draft.name, theirs.body, mine)
  return (
    <div className="grid gap-4 border-b border-line pb-6 [&_del]:no-underline">
      <Notice tone="warning" role="alert" title={draftMessages.staleSection}>
        {theirs.updatedBy && theirs.updatedAt && (
          <p>
            {theirs.updatedBy.name}, <RelativeTime at={theirs.updatedAt} />
          </p>
        )}
      </Notice>
      <ChangeRows changes={changes} sides={sides} />
      <div className="flex flex-wrap gap-3">
        <Button size="sm" onClick={choose('keepMine')}>
          Keep mine
        </Button>
        <Button variant="secondary" size="sm" onClick={choose('takeTheirs')}>
          Take theirs
        </Button>
      </div>
    </div>
  )
}

const sides: Sides = {
  before: 'Theirs',
  after: 'Mine',
  onlyBefore: 'Only in theirs',
  onlyAfter: 'Only in mine',
}

function compareSection(name: SavedSection['name'], from: unknown, to: unknown) {
  const alone = (body: unknown) =>
    Object.fromEntries(sectionNames.map(other => [other, other === name ? body : {}])) as SiteContent
  return compareContent(alone(from), alone(to))
}
