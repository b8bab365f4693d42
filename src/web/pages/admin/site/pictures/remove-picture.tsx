import { api } from '../../../../api/api.ts'
import { ConfirmAction } from '../../../../forms/confirm-action.tsx'
import type { LibraryPicture } from '../sections/picture-library.ts'
import { uploads } from './uploads.ts'

export function RemovePicture({ picture, onClose }: { picture: LibraryPicture; onClose: () => void }) {
  const utils = api.useUtils()
  const remove = api.media.remove.useMutation()
  return (
    <ConfirmAction
      title={`Remove ${picture.name}?`}
      body="It is removed from this list. Earlier versions of the site that show it can only go into the draft without it."
      confirmLabel="Remove"
      busyLabel="Removing..."
      action={async () => {
        const { message } = await remove.mutateAsync({ id: picture.id })
        uploads.forget(picture.id)
        return { title: 'Picture removed', detail: message }
      }}
      failedText="Failed to remove picture"
      onSuccess={() => utils.media.list.invalidate()}
      onError={() => void utils.media.list.invalidate()}
      onClose={onClose}
    />
  )
}
