import { messageResponse } from '../../../../domain/common/wire.ts'
import { backupChange, sheetConfirmation } from '../../../../domain/content/backup-target.ts'
import { adminProcedure, checked, router } from '../../../kernel/trpc.ts'
import { getBackups } from './queries.ts'
import { confirmSheet, makeSheet } from './recovery-sheet.ts'
import { saveTarget, tryTarget, wantBackup } from './save-target.ts'
import { backupsView, sheetView } from './views.ts'

export const backupsRouter = router({
  get: adminProcedure
    .meta({
      summary: 'Read the backups elsewhere, without any secret',
      rest: ['GET /api/setup/admin/backup'],
    })
    .output(checked(backupsView))
    .query(({ ctx }) => getBackups(ctx.deps)),
  save: adminProcedure
    .meta({
      summary: 'Save where backups are copied; a missing secret is kept',
      rest: ['PUT /api/setup/admin/backup'],
      stepUp: 'always',
    })
    .input(backupChange)
    .output(checked(backupsView))
    .mutation(({ ctx, input }) => saveTarget(ctx.deps, ctx.actor, input)),
  try: adminProcedure
    .meta({
      summary: 'Open or make the repository, and write, read and remove a file there; at most 60 seconds',
      rest: ['POST /api/setup/admin/backup/try'],
      stepUp: 'never',
    })
    .output(checked(backupsView))
    .mutation(({ ctx }) => tryTarget(ctx.deps, ctx.actor)),
  now: adminProcedure
    .meta({
      summary: 'Have a backup elsewhere made within minutes',
      rest: ['POST /api/setup/admin/backup/now'],
      stepUp: 'never',
    })
    .output(checked(messageResponse))
    .mutation(async ({ ctx }) => {
      await wantBackup(ctx.deps, ctx.actor)
      return { message: 'The backup starts within a minute.' }
    }),
  sheet: adminProcedure
    .meta({
      summary: 'Make a recovery sheet; its phrase is told once and stored nowhere',
      rest: ['POST /api/setup/admin/backup/sheet'],
      stepUp: 'always',
    })
    .output(checked(sheetView))
    .mutation(({ ctx }) => makeSheet(ctx.deps, ctx.actor)),
  confirm: adminProcedure
    .meta({
      summary: 'Type two groups of the recovery sheet back, which ends the former phrase',
      rest: ['POST /api/setup/admin/backup/confirm'],
      stepUp: 'never',
    })
    .input(sheetConfirmation)
    .output(checked(backupsView))
    .mutation(({ ctx, input }) => confirmSheet(ctx.deps, ctx.actor, input.groups)),
})
