import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import type { Config } from '../../kernel/config.ts'
import type { FoundNotice, NoticeCheck } from '../../kernel/notice.ts'

/** What the watch of the server found (INST-46). */
const report = z.object({
  at: z.string(),
  version: z.string(),
  freeMb: z.number(),
  freePercent: z.number(),
  fullInDays: z.number().nullable(),
  certificateEndsAt: z.string().nullable(),
  isCertificateOld: z.boolean(),
})

/** Undefined on a server without the watch, and before it first ran. */
export function readMachineReport({ machineFile }: Pick<Config, 'machineFile'>) {
  if (machineFile === undefined) return undefined
  try {
    return report.parse(JSON.parse(readFileSync(machineFile, 'utf8')))
  } catch {
    return undefined
  }
}

const gigabytes = (mb: number) => `${(mb / 1000).toFixed(1)} GB`

/** `13.2 GB free (40 %), full in 90 days`. */
export const diskInWords = ({ freeMb, freePercent, fullInDays }: z.infer<typeof report>): string =>
  `${gigabytes(freeMb)} free (${freePercent} %)${fullInDays === null || fullInDays > 365 ? '' : `, full in ${fullInDays} days`}`

/** The day on which the certificate ends; undefined without one. */
export const certificateEnd = ({ certificateEndsAt }: z.infer<typeof report>, timeZone: string) =>
  certificateEndsAt === null ? undefined : formatMomentDate(certificateEndsAt, timeZone)

/** The dangers that only the server can see (INST-47). */
export const machineNotices: NoticeCheck = ({ config }) => {
  const found = readMachineReport(config)
  if (!found) return []
  const notices: FoundNotice[] = []
  if (found.freeMb < 1000 || found.freePercent < 10)
    notices.push({
      id: 'machine-disk',
      title: 'The server’s disk is almost full',
      detail: `${diskInWords(found)}. Whoever runs the server makes room or rents a larger disk.`,
      at: found.at,
    })
  if (found.isCertificateOld)
    notices.push({
      id: 'machine-certificate',
      title: 'The site’s certificate was not renewed',
      detail: `It ends on ${certificateEnd(found, config.site.timeZone)}. Then browsers warn visitors away. On the server: condo doctor`,
      at: found.at,
    })
  return notices
}
