import type { SignedIn } from '../../domain/accounts/access.ts'
import { staySection } from '../../domain/arrival/stay-settings.ts'
import { writeCalendar } from '../../domain/calendars/calendar-file.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import { sha256 } from '../lib/sha256.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { openLink } from './links.ts'
import { changesOf } from './records.ts'
import { presentStay, tenantStay } from './views.ts'

type Asked = { actor: SignedIn; applicationId: string } | { token: string }

/** The stay as a calendar file, for its tenant or by a guest's link: no secret and no name (STAY-31). @throws AppError not_found */
export function stayCalendar(deps: Deps, asked: Asked) {
  const isByLink = 'token' in asked
  const stay = isByLink
    ? presentStay(deps, openLink(deps, deps.db, asked.token).stay)
    : tenantStay(deps, asked.actor, asked.applicationId)
  if (!stay) throw new AppError('not_found', 'There is no stay to see yet.')
  const { applicationId, checkInAt, checkOutAt, endDate, propertyName, sections, startDate } = stay
  const { changedAt, changes } = changesOf(deps.db, applicationId)
  const event = {
    uid: `${sha256(`stay ${applicationId}`).slice(0, 32)}@${new URL(deps.config.origin).hostname}`,
    // The times are the settings'.
    sequence: changes + readSection(deps.db, staySection).version,
    changedAt,
    start: startDate,
    end: endDate,
    times: { start: checkInAt, end: checkOutAt },
    summary: `Stay at ${propertyName}`,
    location: sections.directions?.address || currentSite(deps).propertyAddress,
    ...(!isByLink && { url: `${deps.config.origin}/stay/${applicationId}` }),
    isTransparent: true,
  }
  const content = Buffer.from(writeCalendar(propertyName, [event]))
  return { content, contentType: 'text/calendar; charset=utf-8', fileName: 'stay.ics' }
}
