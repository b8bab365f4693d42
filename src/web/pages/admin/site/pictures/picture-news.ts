import type { OwnPicture } from '../sections/own-pictures.ts'
import type { Upload } from './upload-queue.ts'

/** The announcements for screen readers: uploads that ended without a new picture, and pictures that were processed. */
export function endedOf(
  uploads: readonly Pick<Upload, 'id' | 'name' | 'state'>[],
  pictures: readonly OwnPicture[],
): Map<string, string> {
  const ended = new Map<string, string>()
  for (const { id, name, state } of uploads) {
    if (state.kind === 'failed') ended.set(`upload ${id} failed`, `${name}: ${state.fault}`)
    if (state.kind === 'existing') ended.set(`upload ${id} existing`, `${name}: ${existingText}`)
  }
  for (const { fault, id, name, shipped, state } of pictures) {
    if (shipped || state === 'processing') continue
    ended.set(`picture ${id} ${state}`, state === 'ready' ? `${name} is ready.` : `${name}: ${fault}`)
  }
  return ended
}

/** The announcements that are new. */
export const newsBetween = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after].flatMap(([key, sentence]) => (before.has(key) ? [] : [sentence]))

export const existingText = 'This picture is already here.'
