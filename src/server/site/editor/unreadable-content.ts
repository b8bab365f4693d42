import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { NoticeCheck } from '../../kernel/notice.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../content/published.ts'

const title = 'The published content could not be read'

/** Notices about unreadable published versions, in whose place visitors see an older one (SITE-31). */
export const unreadableContent: NoticeCheck = ({ siteContent }) => {
  const { unreadable, version } = siteContent()
  if (unreadable.length === 0) return []
  const shown = version === 0 ? 'the words that the site came with' : `version ${version}`
  const which = `${unreadable.length === 1 ? 'Version' : 'Versions'} ${unreadable.join(', ')}`
  const ways = 'other words, or these with ‘Publish again’ under Versions'
  const detail = `${which} cannot be read. Visitors see ${shown} until something is published: ${ways}.`
  const id = `words-unreadable-${unreadable[0]}`
  return [{ id, title, detail, action: { kind: 'site' }, ownMail: true }]
}

/** Mails the owner once about each unreadable published version (SITE-31). */
export async function reportUnreadableContent(deps: Deps): Promise<void> {
  const { unreadable, version: shown } = deps.siteContent()
  if (unreadable.length === 0) return
  const to = currentSite(deps).ownerEmail
  await deps.write(tx => {
    for (const version of unreadable)
      enqueueMail(tx, nowIso(deps), {
        kind: 'owner-content-unreadable',
        to,
        dedupeKey: `words-unreadable:${version}`,
        props: { version, shown },
      })
  })
}
