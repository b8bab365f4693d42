import { connect } from 'node:tls'
import { z } from 'zod'
import { addressAdvice } from './install.ts'
import type { Machine } from './machine.ts'
import { cli, domain, paths, releaseFolder, runningVersion, unit, watchTimer } from './site.ts'

/** One line of `condo doctor`; a warning is no reason to end with 1. */
export type Line = { is: 'good' | 'warning' | 'bad'; text: string }
const good = (text: string): Line => ({ is: 'good', text })
const bad = (text: string): Line => ({ is: 'bad', text })

const shape = z.object({
  backupHere: z.string().nullable(),
  backupElsewhere: z.string().nullable(),
  testRestore: z.string().nullable(),
  ownerEmail: z.string(),
  connections: z.array(z.string()),
  notices: z.array(z.object({ isDanger: z.boolean(), title: z.string(), detail: z.string() })),
})
export type Facts = z.infer<typeof shape>

/** What the site knows; undefined if it cannot be read. */
export function siteFacts(machine: Machine, ...more: '--connections'[]): Facts | undefined {
  const { code, out } = cli(machine, ['facts', ...more], { timeoutMs: 20_000 })
  return code === 0 ? shape.parse(JSON.parse(out)) : undefined
}

/** When the certificate ends and how long it is valid in all, in ms; undefined if none is served here. */
export function certificate(host: string): Promise<{ endsAt: Date; lifeMs: number } | undefined> {
  return new Promise(resolve => {
    // Whether it is trusted is the visitor's question; here only its dates count.
    const socket = connect({ host: '127.0.0.1', port: 443, servername: host, rejectUnauthorized: false })
    const end = (found?: { endsAt: Date; lifeMs: number }) => {
      socket.destroy()
      resolve(found)
    }
    socket.setTimeout(10_000, end).once('error', () => end())
    socket.once('secureConnect', () => {
      const { valid_from, valid_to } = socket.getPeerCertificate()
      const endsAt = new Date(valid_to)
      end({ endsAt, lifeMs: endsAt.getTime() - Date.parse(valid_from) })
    })
  })
}

export function diskSpace(machine: Machine): { freeMb: number; freePercent: number } {
  const { free, size } = machine.spaceAt(paths.data)
  return { freeMb: Math.floor(free / 1e6), freePercent: Math.floor((100 * free) / size) }
}
export const isDiskFull = ({ freeMb, freePercent }: ReturnType<typeof diskSpace>) =>
  freeMb < 1000 || freePercent < 10

export const clockIsKept = (machine: Machine) =>
  machine.run('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']).out.trim() === 'yes'

/** Looks at everything that has to be right, a line each with what to do (INST-45). */
export async function examine(machine: Machine): Promise<Line[]> {
  const host = domain(machine)
  const lines: Line[] = []
  const advice = await addressAdvice(host)
  lines.push(...(advice.length > 0 ? advice.map(bad) : [good(`${host} points here`)]))

  for (const name of [unit, 'caddy.service', watchTimer]) {
    const isActive = machine.run('systemctl', ['is-active', name]).code === 0
    lines.push(
      isActive
        ? good(`${name} runs`)
        : bad(`${name} does not run: systemctl restart ${name}, then condo logs`),
    )
  }
  const { status } = await machine.ask(paths.socket)
  lines.push(status === 200 ? good('The site answers') : bad('The site does not answer. Its log: condo logs'))
  const found = await certificate(host)
  if (!found) lines.push(bad('Port 443 has no certificate. Caddy’s log: journalctl -u caddy -n 20'))
  else {
    const ends = found.endsAt.toLocaleDateString('en-US', { dateStyle: 'medium' })
    const isOld = found.endsAt.getTime() - Date.now() < found.lifeMs / 6
    lines.push(
      isOld
        ? bad(`The certificate ends on ${ends}. Caddy’s log: journalctl -u caddy -n 20`)
        : good(`Certificate until ${ends}`),
    )
  }
  lines.push(
    clockIsKept(machine)
      ? good('The clock is kept')
      : { is: 'warning', text: 'Nothing keeps the clock: apt install systemd-timesyncd' },
  )
  const disk = diskSpace(machine)
  const free = `${(disk.freeMb / 1000).toFixed(1)} GB (${disk.freePercent} %) of disk are free`
  lines.push(isDiskFull(disk) ? bad(`${free}: make room, or rent a larger disk`) : good(free))
  const folder = releaseFolder(runningVersion(machine) ?? '')
  const changed = machine.run('sh', ['-c', 'cd "$1" && sha256sum -c --quiet MANIFEST.sha256', '-', folder])
  lines.push(
    changed.code === 0 ? good('The program is as released') : bad(`Changed files:\n${changed.out.trim()}`),
  )
  const facts = siteFacts(machine, '--connections')
  if (!facts) return [...lines, bad('The site’s database cannot be read. Its log: condo logs')]
  const day = (at: string | null) => at?.slice(0, 10) ?? 'none yet'
  lines.push(
    good(
      `Backups: here ${day(facts.backupHere)}, elsewhere ${day(facts.backupElsewhere)}, last test restore ${day(facts.testRestore)}`,
    ),
  )
  if (facts.connections.length === 0)
    lines.push(good('The sender’s records and the webhook are right, as far as they answer'))
  for (const text of facts.connections) lines.push({ is: 'warning', text })
  for (const { detail, isDanger, title } of facts.notices)
    lines.push({ is: isDanger ? 'bad' : 'warning', text: `${title}. ${detail}` })
  return lines
}

const marks = { good: '✓', warning: '!', bad: '✗' } as const

/** Prints what was examined. @returns the exit code */
export async function doctor(machine: Machine): Promise<number> {
  const lines = await examine(machine)
  for (const { is, text } of lines) machine.say(`${marks[is]} ${text}`)
  return lines.some(({ is }) => is === 'bad') ? 1 : 0
}
