import { expect, test } from 'vitest'
import {
  cancelEmailChange,
  canUndo,
  confirmEmailChange,
  type EmailChange,
  type EmailSide,
  emailChangeState,
  reservedEmailKeys,
  startEmailChange,
  undoEmailChange,
} from './email-change.ts'

const start = '2026-03-04T17:00:00.000Z'
const hours = (count: number, more = 0) =>
  new Date(Date.parse(start) + count * 3_600_000 + more).toISOString()
const change = () => startEmailChange('Maya@guest.example', ' new@guest.example ', start)
const confirm = (one: EmailChange | undefined, side: EmailSide, at = hours(1), isTaken = false) =>
  one && confirmEmailChange(one, { side, at, isTaken })
function done(from = 'a@guest.example', to = 'b@guest.example', at = start): EmailChange {
  const changed = confirm(confirm(startEmailChange(from, to, at), 'old', at), 'new', at)
  if (!changed) throw new Error('not done')
  return changed
}

test.each<[EmailSide, EmailSide]>([
  ['old', 'new'],
  ['new', 'old'],
])('a change is done only after the %s and then the %s address confirm [SAFE-25]', (first, second) => {
  const waiting = confirm(change(), first)
  expect(waiting).toMatchObject({ doneAt: null, undoUntil: null })
  expect(confirm(waiting, first)).toEqual(waiting)
  expect(confirm(waiting, second, hours(2))).toMatchObject({
    newEmail: 'new@guest.example',
    doneAt: hours(2),
    undoUntil: hours(2 + 7 * 24),
    cancelledAt: null,
  })
})

test('a change expires after 24 hours, even if half confirmed [SAFE-25]', () => {
  const half = confirm(change(), 'old')
  expect(confirm(half, 'new', hours(24, -1))?.doneAt).toBe(hours(24, -1))
  expect(confirm(half, 'new', hours(24))).toBeUndefined()
  expect(emailChangeState(change(), hours(24))).toBe('expired')
})

test('a change is silently canceled if the new address now has an account [SAFE-26]', () => {
  const ended = confirm(confirm(change(), 'old'), 'new', hours(2), true)
  expect(ended).toMatchObject({ doneAt: null, cancelledAt: hours(2) })
  expect(ended && emailChangeState(ended, hours(2))).toBe('canceled')
  // The first confirmation reveals nothing yet.
  expect(confirm(change(), 'old', hours(1), true)).toEqual(confirm(change(), 'old'))
})

test('links of a canceled or replaced change are invalid, and a completed change stays [SAFE-29]', () => {
  const canceled = cancelEmailChange(change(), hours(1))
  expect(emailChangeState(canceled, hours(1))).toBe('canceled')
  expect(confirm(canceled, 'old')).toBeUndefined()
  expect(cancelEmailChange(done(), hours(1))).toEqual(done())
  expect(confirm(done(), 'new')).toBeUndefined()
})

test('the former address can undo a change once within seven days [SAFE-28]', () => {
  expect(canUndo(done(), hours(7 * 24, -1))).toBe(true)
  expect(canUndo(done(), hours(7 * 24))).toBe(false)
  expect(canUndo(change(), hours(1))).toBe(false)
  const undone = undoEmailChange([done()], 0, hours(5))
  expect(undone).toMatchObject({ email: 'a@guest.example', changes: [{ cancelledAt: hours(5) }] })
  expect(undone?.changes.map(one => emailChangeState(one, hours(5)))).toEqual(['undone'])
  expect(undoEmailChange(undone?.changes ?? [], 0, hours(6))).toBeUndefined()
  expect(undoEmailChange([], 0, start)).toBeUndefined()
})

test('a change made while the clock was ahead can neither be undone afterwards nor reserve the address [SAFE-28]', () => {
  const ahead = done(undefined, undefined, hours(365 * 24))
  expect(canUndo(ahead, start)).toBe(false)
  expect(reservedEmailKeys([ahead], start)).toEqual(new Set())
  expect(canUndo(done(undefined, undefined, hours(0, 60_000)), start)).toBe(true)
})

test('a change that is canceled or undone while the clock is ahead stays so afterwards [SAFE-28, SAFE-29]', () => {
  const canceled = cancelEmailChange(change(), hours(365 * 24))
  expect(emailChangeState(canceled, hours(1))).toBe('canceled')
  const undone = undoEmailChange([done('a@guest.example', 'b@guest.example'), change()], 0, hours(6 * 24))
  expect(undone?.changes.map(one => emailChangeState(one, hours(1)))).toEqual(['undone', 'canceled'])
})

test('undoing a change also undoes all later ones, and keeps earlier ones [SAFE-28]', () => {
  const b = done('b@guest.example', 'c@guest.example')
  const open = startEmailChange('c@guest.example', 'd@guest.example', start)
  const states = (index: number) =>
    undoEmailChange([done(), b, open], index, hours(1))?.changes.map(one => emailChangeState(one, hours(1)))
  expect(states(0)).toEqual(['undone', 'undone', 'canceled'])
  expect(states(1)).toEqual(['done', 'undone', 'canceled'])
})

test('a former address stays reserved for its user as long as it can undo [SAFE-28]', () => {
  expect(reservedEmailKeys([done('A@guest.example'), change()], hours(1))).toEqual(
    new Set(['a@guest.example']),
  )
  expect(reservedEmailKeys([done()], hours(7 * 24))).toEqual(new Set())
})
