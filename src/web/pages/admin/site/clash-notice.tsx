import { type SiteContent, sectionNames } from '../../../../domain/content.ts'
import { compareContent } from '../../../../domain/content-compare.ts'
import { draftMessages } from '../../../../domain/content-draft.ts'
import { MomentAge } from '../../../features/stays/moment-age.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ChangeRows } from './change-list.tsx'
import type { SavedSection, SectionDraft } from './section-draft.ts'

type ClashNoticeProps = { draft: SectionDraft; mine: unknown; theirs: SavedSection }

/** Two wordings of a section, of which one has to be chosen. */
export function ClashNotice({ draft, mine, theirs }: ClashNoticeProps) {
  const changes = compareSection(draft.name, theirs.body, mine)
  return (
    <Notice tone="warning" role="alert" title={draftMessages.staleSection}>
      {theirs.updatedBy && theirs.updatedAt && (
        <p>
          {theirs.updatedBy.name}, <MomentAge at={theirs.updatedAt} />
        </p>
      )}
      <div className="mt-3 grid gap-4">
        <ChangeRows changes={changes} sides={{ before: 'Theirs', after: 'Mine' }} />
        <div className="flex flex-wrap gap-3">
          <Button size="sm" onClick={draft.keepMine}>
            Keep mine
          </Button>
          <Button variant="secondary" size="sm" onClick={draft.takeTheirs}>
            Take theirs
          </Button>
        </div>
      </div>
    </Notice>
  )
}

function compareSection(name: SavedSection['name'], from: unknown, to: unknown) {
  const alone = (body: unknown) =>
    Object.fromEntries(sectionNames.map(other => [other, other === name ? body : {}])) as SiteContent
  return compareContent(alone(from), alone(to))
}
