import { z } from 'zod'
import { wireMoment } from '../../../../domain/common/wire.ts'
import { backupSection } from '../../../../domain/content/backup-target.ts'
import { sectionVersion } from '../../../../domain/content/settings-section.ts'
import { secretView } from '../../../kernel/sealed-settings.ts'

/** The backups elsewhere, without any secret. */
export const backupsView = z.strictObject({
  version: sectionVersion,
  body: backupSection.body,
  /** The demo does not copy backups. */
  isDemo: z.boolean(),
  hasRestic: z.boolean(),
  secrets: z.strictObject({ secretKey: secretView }),
  /** What the owner enters at the SFTP server. */
  sshPublicKey: z.string().nullable(),
  /** Asked for, and not made yet. */
  isQueued: z.boolean(),
  made: z.strictObject({ at: wireMoment, files: z.int() }).nullable(),
  failed: z.strictObject({ at: wireMoment, reason: z.string() }).nullable(),
  test: z
    .strictObject({ at: wireMoment, seconds: z.number(), isWhole: z.boolean(), fault: z.string().nullable() })
    .nullable(),
  sheet: z
    .strictObject({ madeAt: wireMoment, confirmedAt: wireMoment.nullable(), isWaiting: z.boolean() })
    .nullable(),
})
export type BackupsView = z.infer<typeof backupsView>

/** The recovery sheet, which is sent only once. `asked` are the numbers of the groups to type back. */
export const sheetView = z.strictObject({
  phrase: z.string(),
  target: z.string(),
  user: z.string(),
  secretKey: z.string().nullable(),
  command: z.string(),
  asked: z.array(z.int()),
})
export type SheetView = z.infer<typeof sheetView>
