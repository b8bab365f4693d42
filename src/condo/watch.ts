import { z } from 'zod'
import { dayMs } from '../domain/common/durations.ts'
import { certificate, diskSpace, isDiskFull } from './doctor.ts'
import type { Machine } from './machine.ts'
import { cli, domain, paths, runningVersion } from './site.ts'

const state = z.object({
  /** When the fault was first seen, ISO; null if all is well. */
  since: z.string().nullable().default(null),
  fault: z.string().default(''),
  isMailed: z.boolean().default(false),
  /** Mails of the last day, ISO. */
  mailed: z.array(z.string()).default([]),
  /** Free MB by day, newest last. */
  disk: z.array(z.tuple([z.string(), z.number()])).default([]),
})

const downMs = 10 * 60_000
const mailsADay = 4
const keptDays = 30

/**
 * Looks at site, certificate and disk, tells the site what it found, and mails the owner itself when the site is down for
 * ten minutes or the disk is full: once at the start, once at the end, four a day at most (INST-46).
 */
export async function watch(machine: Machine, now = new Date()): Promise<void> {
  machine.run(`${paths.current}/bin/condo`, ['recover'])
  const before = state.parse(JSON.parse(machine.read(paths.watch) ?? '{}'))
  const disk = diskSpace(machine)
  const found = await certificate(domain(machine))
  const { status } = await machine.ask(paths.socket)
  const fault =
    status !== 200 ? 'The site does not answer' : isDiskFull(disk) ? 'The disk is almost full' : ''
  const today = now.toISOString().slice(0, 10)
  const history = [
    ...before.disk.filter(([day]) => day !== today),
    [today, disk.freeMb] as [string, number],
  ].slice(-keptDays)
  const past = (at: string) => Date.parse(at) <= now.getTime()
  const next = {
    ...before,
    fault,
    disk: history,
    mailed: before.mailed.filter(at => past(at) && now.getTime() - Date.parse(at) < dayMs),
  }
  const report = {
    at: now.toISOString(),
    version: runningVersion(machine) ?? '',
    freeMb: disk.freeMb,
    freePercent: disk.freePercent,
    fullInDays: fullInDays(history),
    certificateEndsAt: found?.endsAt.toISOString() ?? null,
    isCertificateOld: found !== undefined && found.endsAt.getTime() - now.getTime() < found.lifeMs / 6,
  }
  machine.write(paths.machine, JSON.stringify(report))

  const mail = (subject: string, words: string) => {
    if (next.mailed.length >= mailsADay) return
    const { code } = cli(machine, ['alarm', '--subject', subject, '--words', words], { timeoutMs: 60_000 })
    if (code === 0) next.mailed.push(now.toISOString())
    return code === 0
  }
  const host = domain(machine)
  if (fault === '') {
    if (before.isMailed)
      mail(`${host} is well again`, `Since ${now.toUTCString()} everything is as it should be.`)
    next.since = null
    next.isMailed = false
  } else {
    // A clock that was ahead.
    if (next.since === null || !past(next.since)) next.since = now.toISOString()
    const isLong = now.getTime() - Date.parse(next.since) >= (status === 200 ? 0 : downMs)
    if (isLong && !next.isMailed)
      next.isMailed =
        mail(
          `${host}: ${fault.toLowerCase()}`,
          `${fault}, since ${new Date(next.since).toUTCString()}.\n\nOn the server: condo doctor`,
        ) ?? false
  }
  machine.write(paths.watch, JSON.stringify(next), 0o600)
}

/** At the pace of the days on record; null if it does not fill up. */
export function fullInDays(history: readonly (readonly [day: string, freeMb: number])[]): number | null {
  const [first] = history
  const last = history.at(-1)
  if (!first || !last) return null
  const days = (Date.parse(last[0]) - Date.parse(first[0])) / dayMs
  const usedADay = days > 0 ? (first[1] - last[1]) / days : 0
  return usedADay > 0 ? Math.floor(last[1] / usedADay) : null
}
