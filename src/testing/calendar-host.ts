import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calendarEvents, calendarFeeds } from '../../db/schema.ts'
import { requireAdmin } from '../domain/accounts/access.ts'
import { afterThisTest } from './cleanups.ts'
import { testApp } from './test-app.ts'

/** An event on another platform; dates are YYYY-MM-DD, half-open. */
export type HostedEvent = { uid?: string; start: string; end: string; summary?: string }

/** An iCalendar file with these events; `summary` defaults to 'Reserved'. */
export function calendarOf(...events: HostedEvent[]): string {
  const digits = (date: string) => date.replaceAll('-', '')
  const lines = events.flatMap(({ end, start, summary = 'Reserved', uid = `${start}@host.example` }) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART;VALUE=DATE:${digits(start)}`,
    `DTEND;VALUE=DATE:${digits(end)}`,
    `SUMMARY:${summary}`,
    'END:VEVENT',
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Host//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

export type HostedResponse = {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Never responds. */
  hangs?: boolean
}
type HostedRequest = { path: string; headers: IncomingHttpHeaders }

/**
 * Another platform's calendars on this machine. Serves on every path the response that `serve` set last, with status
 * 200 by default, and records the requests. Responds with 304 to a request with the current `etag`.
 */
export async function startCalendarHost() {
  const requests: HostedRequest[] = []
  const waiting: ServerResponse[] = []
  const responses = new Map<string, HostedResponse>()
  let defaultResponse: HostedResponse = { body: calendarOf() }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push({ path, headers: request.headers })
    const { body = '', hangs, headers = {}, status = 200 } = responses.get(path) ?? defaultResponse
    if (hangs) return void waiting.push(response)
    const isKnown = status === 200 && headers.etag && request.headers['if-none-match'] === headers.etag
    response.writeHead(isKnown ? 304 : status, headers)
    response.end(isKnown ? undefined : body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: (path = '/calendar.ics') => `${origin}${path}`,
    requests,
    /** Sets the response for one path, or by default for every path. */
    serve: (response: HostedResponse, path?: string) => {
      if (path === undefined) defaultResponse = response
      else responses.set(path, response)
    },
    serveEvents: (...events: HostedEvent[]) => {
      defaultResponse = { body: calendarOf(...events) }
    },
    /** Sends this file in response to the hanging requests. */
    respondToHanging: (body = calendarOf()) => {
      for (const response of waiting.splice(0)) response.end(body)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
export type CalendarHost = Awaited<ReturnType<typeof startCalendarHost>>

/** Starts a calendar host that is closed after the test. */
export async function calendarHost(): Promise<CalendarHost> {
  const host = await startCalendarHost()
  afterThisTest(host.close)
  return host
}

/** A site that may fetch calendars from a host on this machine, and its owner. */
export async function feedApp(options: Parameters<typeof testApp>[0] = {}) {
  const host = await calendarHost()
  const app = await testApp({
    ...options,
    env: { FETCH_ALLOW: host.origin, RATE_LIMITS: 'off', ...options.env },
  })
  const admin = requireAdmin(await app.makeAdmin())
  const { calendars } = app.as(admin)
  const { db } = app.deps
  return {
    ...app,
    host,
    admin,
    calendars,
    /** Adds a feed with its own path on the host, and returns its id. */
    addFeed: async (name = 'Airbnb', change: { mode?: 'all'; provider?: 'airbnb' } = {}) => {
      const { feed } = await calendars.addFeed({ name, url: host.url(`/${name}.ics`), ...change })
      return feed.id
    },
    read: async (id: string) => (await calendars.readNow({ id })).result,
    feedRow: (id: string) => {
      const row = db
        .select()
        .from(calendarFeeds)
        .all()
        .find(feed => feed.id === id)
      if (!row) throw new Error('no such feed')
      return row
    },
    eventRows: () => db.select().from(calendarEvents).all(),
    /** Dates and state of the imported events that have not ended, by date. */
    events: async () =>
      (await calendars.events({})).events.map(
        ({ endDate, startDate, state }) => `${startDate} ${endDate} ${state}`,
      ),
  }
}
