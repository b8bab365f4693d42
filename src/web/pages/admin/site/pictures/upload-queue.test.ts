import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pictureMessages } from '../../../../../domain/content/picture.ts'
import type { LibraryPicture } from '../sections/picture-library.tsx'
import {
  createUploadQueue,
  newAnnouncements,
  type UploadOutcome,
  uploadAnnouncements,
} from './upload-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const busy = new Error('busy')

/** A queue whose uploads end when the test says so. */
function startQueue() {
  const sent: {
    name: string
    onPercent: (percent: number) => void
    end: (outcome: UploadOutcome) => Promise<void>
    fail: (error: Error) => Promise<void>
  }[] = []
  const queue = createUploadQueue({
    send: ({ name }, onPercent) => {
      const { promise, reject, resolve } = Promise.withResolvers<UploadOutcome>()
      const settle = async (done: () => void) => {
        done()
        await vi.advanceTimersByTimeAsync(0)
      }
      sent.push({
        name,
        onPercent,
        end: outcome => settle(() => resolve(outcome)),
        fail: error => settle(() => reject(error)),
      })
      return promise
    },
    errorBefore: ({ size }) => (size > 5 ? pictureMessages.fileTooLarge : undefined),
    errorAfter: error => (error === busy ? 'busy' : (error as Error).message),
    busyError: pictureMessages.tooManyUploads,
  })
  const states = () =>
    Object.fromEntries(
      queue
        .getSnapshot()
        .uploads.map(({ name, state }) => [name, 'error' in state ? state.error : state.kind]),
    )
  return { queue, sent, states, names: () => sent.map(({ name }) => name) }
}
const files = (...names: string[]) => names.map(name => new File(['jpeg'], name))

test('sends three pictures at once, keeps the rest in order, and retries failed uploads on request', async () => {
  const { names, queue, sent, states } = startQueue()
  queue.add([...files('a', 'b', 'c', 'd', 'e'), new File(['far too large'], 'large')])
  expect(names()).toEqual(['a', 'b', 'c'])
  expect(states()).toMatchObject({ c: 'sending', d: 'waiting', large: pictureMessages.fileTooLarge })
  sent[0]?.onPercent(40)
  expect(queue.getSnapshot().uploads[0]?.state).toEqual({ kind: 'sending', percent: 40 })
  await sent[1]?.end({ pictureId: 'picture-b' })
  await sent[0]?.end('existing')
  await sent[2]?.fail(new Error(pictureMessages.tooSmall))
  expect(names()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(states()).toEqual({
    a: 'existing',
    c: pictureMessages.tooSmall,
    d: 'sending',
    e: 'sending',
    large: pictureMessages.fileTooLarge,
  })
  expect(queue.getSnapshot().uploaded).toBe(2)
  expect(queue.getSnapshot().uploadedPictures).toEqual([{ id: 2, name: 'b', pictureId: 'picture-b' }])
  queue.forget('picture-b')
  expect(queue.getSnapshot().uploadedPictures).toEqual([])
  await sent[3]?.end({ pictureId: 'p' })
  await sent[4]?.end({ pictureId: 'p' })
  expect(queue.isRunning()).toBe(false)
  queue.retry(queue.getSnapshot().uploads.find(({ name }) => name === 'c')?.id ?? 0)
  expect(queue.isRunning()).toBe(true)
  await sent[5]?.end({ pictureId: 'p' })
  for (const { id } of queue.getSnapshot().uploads) queue.dismiss(id)
  expect(names().at(-1)).toBe('c')
  expect(states()).toEqual({})
})

test('retries after a pause while the server is busy, for some minutes [PIC-05]', async () => {
  const { names, queue, sent, states } = startQueue()
  queue.add(files('a', 'b'))
  await sent[0]?.fail(busy)
  await sent[1]?.end({ pictureId: 'p' })
  expect(states()).toEqual({ a: 'waiting' })
  expect(queue.isRunning()).toBe(true)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(names()).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(1)
  expect(names()).toEqual(['a', 'b', 'a'])
  for (let tries = 2; sent.length > tries && tries < 20; tries++) {
    await sent[tries]?.fail(busy)
    await vi.advanceTimersByTimeAsync(30_000)
  }
  expect(sent).toHaveLength(9)
  expect(states()).toEqual({ a: pictureMessages.tooManyUploads })
})

test('announces once how each upload and its processing ends, but not what was there before', () => {
  const picture = (id: string, state: LibraryPicture['state'], shipped = false): LibraryPicture => ({
    ...{ id, _id: id, name: `${id}.jpg`, width: 1600, height: 1200, state, shipped },
    ...{ fault: state === 'failed' ? pictureMessages.notPrepared : null, usedIn: [] },
    ...{ thumbnail: null, placeholder: null, createdAt: null },
  })
  const before = uploadAnnouncements(
    [],
    [picture('old', 'ready'), picture('a', 'processing'), picture('b', 'processing')],
  )
  const after = uploadAnnouncements(
    [
      { id: 1, name: 'c.jpg', state: { kind: 'failed', error: pictureMessages.tooSmall } },
      { id: 2, name: 'd.jpg', state: { kind: 'existing' } },
      { id: 3, name: 'e.jpg', state: { kind: 'waiting' } },
    ],
    [picture('old', 'ready'), picture('a', 'ready'), picture('b', 'failed'), picture('hero', 'ready', true)],
  )
  expect(newAnnouncements(before, after)).toEqual([
    `c.jpg: ${pictureMessages.tooSmall}`,
    'd.jpg: This picture is already here.',
    'a.jpg is ready.',
    `b.jpg: ${pictureMessages.notPrepared}`,
  ])
  expect(newAnnouncements(after, after)).toEqual([])
})
