import type { LibraryPicture } from '../sections/picture-library.ts'
import type { Upload } from './upload-queue.ts'

/** The announcements for screen readers: uploads that ended without a new picture, and pictures that were processed. */
export function uploadAnnouncements(
  uploads: readonly Pick<Upload, 'id' | 'name' | 'state'>[],
  pictures: readonly LibraryPicture[],
): Map<string, string> {
  const announcements = new Map<string, string>()
  for (const { id, name, state } of uploads) {
    if (state.kind === 'failed') announcements.set(`upload ${id} failed`, `${name}: ${state.error}`)
    if (state.kind === 'existing') announcements.set(`upload ${id} existing`, `${name}: ${existingText}`)
  }
  for (const { fault, id, name, shipped, state } of pictures) {
    if (shipped || state === 'processing') continue
    announcements.set(`picture ${id} ${state}`, state === 'ready' ? `${name} is ready.` : `${name}: ${fault}`)
  }
  return announcements
}

/** The announcements that are new. */
export const newAnnouncements = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after].flatMap(([key, sentence]) => (before.has(key) ? [] : [sentence]))

export const existingText = 'This picture is already here.'
