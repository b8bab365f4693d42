import { siteNotices } from '../../../site/editor/unreadable-content.ts'
import type { Check } from '../notice.ts'

/** Published content that cannot be read. */
export const unreadableContent: Check = deps =>
  siteNotices(deps).map(notice => ({ ...notice, action: { kind: 'site' }, ownMail: true }))
