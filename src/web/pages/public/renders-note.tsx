import type { PictureView } from '../../../domain/content/content-views.ts'
import { isShipped } from '../../features/content/picture.tsx'

/** Names the pictures on a page that are computer renders, as the shipped pictures are. */
export function RendersNote({ pictures }: { pictures: readonly PictureView[] }) {
  const shipped = pictures.filter(isShipped).length
  if (shipped === 0) return null
  return (
    <p className="mt-8 text-sm text-muted">
      {shipped === pictures.length
        ? 'The pictures and videos on this page are computer renders of a condo like this one, not photographs.'
        : 'Some of the pictures on this page are computer renders of a condo like this one, not photographs.'}
    </p>
  )
}
