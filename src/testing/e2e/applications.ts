import type { Page } from '@playwright/test'
import type { ApplicationFormValues } from '../../domain/bookings/application-form.ts'
import { addDays, type CalendarDate, dateIn } from '../../domain/common/dates.ts'
import { buildApplication } from '../build-application.ts'
import { adminToken, call } from './accounts.ts'
import type { Site } from './site.ts'

/** The date this many days from today at the property. */
export function day(fromToday: number): CalendarDate {
  return addDays(dateIn(new Date(), 'America/New_York'), fromToday)
}

let nextFreeDay = 40

/** Dates that no other test on this worker's site uses. */
export function freeStay(nights = 30) {
  const start = nextFreeDay
  nextFreeDay += nights + 3
  return { requestedStartDate: day(start), requestedEndDate: day(start + nights) }
}

/** Creates an application over REST, either a draft or submitted with this status, and returns its id. */
export async function makeApplication(
  site: Site,
  token: string,
  status: 'draft' | 'pending' | 'approved' | 'rejected' | 'completed',
  values: Partial<ApplicationFormValues> = {},
): Promise<string> {
  const { application } = await call(site, 'POST', '/api/application', {
    token,
    body: buildApplication({ ...freeStay(), ...values }),
  })
  if (status !== 'draft') await call(site, 'POST', `/api/application/${application.id}/submit`, { token })
  if (status !== 'draft' && status !== 'pending') await decide(site, application.id, status)
  return application.id
}

export async function decide(site: Site, id: string, status: 'approved' | 'rejected' | 'completed') {
  const token = await adminToken(site)
  await call(site, 'PUT', `/api/application/admin/${id}/status`, { token, body: { status } })
}

/** Records the browser's calls to one procedure from now on. */
export function watchCalls(page: Page, procedure: string): string[] {
  const bodies: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/trpc/') && pathname.slice('/trpc/'.length).split(',').includes(procedure))
      bodies.push(request.postData() ?? '')
  })
  return bodies
}
