import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../../db/project-root.ts'

const unit = readFileSync(join(projectRoot, 'deploy/condo.service'), 'utf8')

/** The environment in which deploy/ starts the site. */
export const smallMachine = {
  NODE_OPTIONS: /"NODE_OPTIONS=([^"]+)"/.exec(unit)?.[1] ?? '',
  MALLOC_ARENA_MAX: /MALLOC_ARENA_MAX=(\d+)/.exec(unit)?.[1] ?? '',
}

/** The most memory that a process has used so far. */
export const highestMb = (pid: number) =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
