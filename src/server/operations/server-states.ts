import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { plural } from '../../domain/common/plural.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import { isOnlyLocal } from '../kernel/config-notices.ts'
import type { Deps } from '../kernel/deps.ts'
import { backupState } from './backup/last-backup.ts'
import { certificateEnd, diskInWords, readMachineReport } from './upgrade/machine-report.ts'

const serverState = z.strictObject({
  label: z.string(),
  /** What is configured, in words; null for what has a card of its own. */
  state: z.string().nullable(),
  /** Whether the site lacks something until it is configured. */
  isMissing: z.boolean(),
  /** The variables of the environment that decide it. */
  variables: z.array(z.string()),
})
export const serverStates = z.strictObject({
  states: z.array(serverState),
  /** The backups on this machine; `folder` is for whoever runs the server. */
  backups: z.strictObject({
    scheduled: z.boolean(),
    keep: z.int(),
    lastAt: wireMoment.nullable(),
    folder: z.string(),
  }),
})

/** How the server is configured, without any secret. */
export function readServerStates({ config, db }: Deps): z.infer<typeof serverStates> {
  const { backups, clockOffsetMs, demo, mode } = config
  const { timeZone } = config.site
  const isDemo = mode === 'demo'
  const machine = readMachineReport(config)
  const until = machine && certificateEnd(machine, timeZone)
  const row = (label: string, state: string | null, variables: string[], isMissing = false) => ({
    label,
    state,
    variables,
    isMissing,
  })
  return {
    states: [
      row('Version', packageJson.version, []),
      ...(machine
        ? [
            row('Disk', diskInWords(machine), []),
            row('Certificate', until ? `Until ${until}` : 'None yet', [], !until),
          ]
        : []),
      row(
        'Address',
        isOnlyLocal(config) ? `${config.origin}, on this machine only` : config.origin,
        ['ORIGIN', 'HOST', 'PORT'],
        isOnlyLocal(config),
      ),
      row('Kind of site', isDemo ? `Demo${demo.seed ? ' with invented guests' : ''}` : 'Live site', [
        'NODE_ENV',
        'DEMO_SEED',
      ]),
      row('Card payments', null, ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']),
      row('Card fee', null, ['CARD_FEE_PERCENT']),
      row('Email', null, ['SMTP_URL', 'MAIL_FROM']),
      row('Backups', null, ['BACKUPS', 'BACKUP_KEEP', 'BACKUP_DIR']),
      row('Time zone', timeZone, ['PROPERTY_TIMEZONE']),
      row('Clock', clockOffsetMs === 0 ? 'The server’s own' : 'Moved for the demo', ['CLOCK_OFFSET']),
      row(
        'Calendars of other platforms',
        config.calendarPollSeconds === 0
          ? 'Read on request only'
          : `Read every ${plural(Math.round(config.calendarPollSeconds / 60), 'minute')}`,
        ['CALENDAR_POLL_SECONDS'],
      ),
    ],
    backups: {
      scheduled: backups.scheduled,
      keep: backups.keep,
      lastAt: backupState(db).made?.at ?? null,
      folder: backups.folder,
    },
  }
}
