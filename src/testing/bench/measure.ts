import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worst } from './health-poller.ts'
import { cpuSecondsOf, type RunningServer } from './server-process.ts'
import { percentile } from './table.ts'

const rounds = 3

/** The settings in deploy/. */
export const smallMachine = {
  NODE_OPTIONS: '--max-old-space-size=64 --max-semi-space-size=2',
  MALLOC_ARENA_MAX: '2',
}

export type Heavy = { name: string; run: (round: number) => Promise<unknown> }
export type Measured = { name: string; cpuMs: number; tookMs: number; worst: Worst }

const goalMs = 100
export const columns = ['processor ms', 'response ms', 'worst health ms', 'main thread ms', 'goal']

/** A table row. The goal applies to the main thread: other load on the machine causes the rest of a delay. */
export const rowOf = ({ cpuMs, name, tookMs, worst }: Measured): string[] => [
  name,
  ...[cpuMs, tookMs, worst.ms, worst.mainThreadMs].map(ms => ms.toFixed(0)),
  `${goalMs} ${worst.mainThreadMs < goalMs ? 'met' : 'missed'}`,
]

/** Runs it three times while a separate process polls the site's health. */
export async function measure(
  { name, run }: Heavy,
  site: RunningServer,
  poller: ChildProcess,
): Promise<Measured> {
  const cpuMs: number[] = []
  const tookMs: number[] = []
  const worst: Worst = { ms: 0, mainThreadMs: 0 }
  await sleep(200)
  await worstHealth(poller)
  for (let round = 0; round < rounds; round++) {
    const cpuBefore = cpuSecondsOf(site.pid) ?? 0
    const startedAt = performance.now()
    await run(round)
    tookMs.push(performance.now() - startedAt)
    // Background work after a request counts too.
    await sleep(150)
    cpuMs.push(((cpuSecondsOf(site.pid) ?? 0) - cpuBefore) * 1000)
    const found = await worstHealth(poller)
    worst.ms = Math.max(worst.ms, found.ms)
    worst.mainThreadMs = Math.max(worst.mainThreadMs, found.mainThreadMs)
  }
  const median = (figures: number[]) =>
    percentile(
      figures.toSorted((a, b) => a - b),
      0.5,
    )
  return { name, cpuMs: median(cpuMs), tookMs: median(tookMs), worst }
}

/** The slowest health response since the last call. */
export function worstHealth(poller: ChildProcess): Promise<Worst> {
  return new Promise(resolve => {
    poller.once('message', worst => resolve(worst as Worst))
    poller.send('worst')
  })
}
