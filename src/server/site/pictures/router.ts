import { z } from 'zod'
import { withId } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { listPictures, readPicture } from './queries.ts'
import { removePicture } from './remove-picture.ts'
import { retryPicture } from './upload-picture.ts'
import { adminPictureView } from './views.ts'

const pictureResponse = z.strictObject({ picture: adminPictureView })

export const picturesRouter = router({
  list: adminProcedure
    .meta({
      summary: 'Uploaded pictures, newest first, then those that came with the site',
      rest: ['GET /api/picture/admin/all'],
    })
    .output(checked(z.strictObject({ pictures: z.array(adminPictureView) })))
    .query(({ ctx }) => ({ pictures: listPictures(ctx.deps) })),
  get: adminProcedure
    .meta({ summary: 'A picture', rest: ['GET /api/picture/admin/{id}'] })
    .input(withId)
    .output(checked(pictureResponse))
    .query(({ ctx, input }) => ({ picture: readPicture(ctx.deps, input.id) })),
  retry: adminProcedure
    .meta({
      summary: 'Prepare a failed picture again',
      rest: ['POST /api/picture/admin/{id}/retry'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(pictureResponse))
    .mutation(async ({ ctx, input }) => ({ picture: await retryPicture(ctx.deps, ctx.actor, input.id) })),
  remove: adminProcedure
    .meta({
      summary: 'Remove a picture that nothing uses',
      rest: ['DELETE /api/picture/admin/{id}'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => removePicture(ctx.deps, ctx.actor, input.id)),
})
