import { useSyncExternalStore } from 'react'
import { maxPictureBytes, pictureMessages } from '../../../../../domain/content/picture.ts'
import { failureOf, refusalOr } from '../../../../api/failures.ts'
import { sendForm } from '../../../../api/files.ts'
import { createUploadQueue } from './upload-queue.ts'

/** The upload queue of this page: uploads continue while another tab or screen is shown. */
export const uploads = createUploadQueue({
  send: async (file, onPercent) => {
    const form = new FormData()
    form.append('picture', file)
    const { body, status } = await sendForm('/api/picture/admin', form, onPercent)
    return status === 200 ? 'existing' : { pictureId: (body as { picture: { id: string } }).picture.id }
  },
  errorBefore: ({ size }) => (size > maxPictureBytes ? pictureMessages.fileTooLarge : undefined),
  errorAfter: error => {
    const failure = failureOf(error)
    if (failure.status === 503) return 'busy'
    return refusalOr(error, 'The upload failed. Check your connection and try again.')
  },
  busyError: pictureMessages.tooManyUploads,
})

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
uploads.subscribe(() => {
  if (uploads.isRunning()) window.addEventListener('beforeunload', askBeforeLeaving)
  else window.removeEventListener('beforeunload', askBeforeLeaving)
})

export const useUploads = () => useSyncExternalStore(uploads.subscribe, uploads.getSnapshot)
