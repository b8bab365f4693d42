/** The parts of a bill in their order: rent, fees, then each tax; in integer cents. */
export type Bill = {
  owed: number[]
  received: number[]
  /** What was received beyond the bill; below zero where more went back than was received. */
  advance: number
}

/** A bill without any part yet. */
export const newBill = (parts: number): Bill => ({
  owed: Array.from({ length: parts }, () => 0),
  received: Array.from({ length: parts }, () => 0),
  advance: 0,
})

/** Splits an amount in proportion to weights, to the cent: what the first parts get together is rounded down. */
export function splitCents(cents: number, weights: readonly number[]): number[] {
  // BigInt, because cents times cents exceed safe integers from about a million dollars.
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0))
  let cumulated = 0n
  let given = 0
  return weights.map(weight => {
    cumulated += BigInt(weight)
    const upTo = total === 0n ? 0 : Number((BigInt(cents) * cumulated) / total)
    const part = upTo - given
    given = upTo
    return part
  })
}

/** Money comes in: to what the parts have open, the rest is advance (BOOK-03). */
export function receive(bill: Bill, cents: number): void {
  bill.advance += cents
  fill(bill)
}

/** Money goes back: of the advance first, then of what the parts have received (BOOK-03). */
export function giveBack(bill: Bill, cents: number): void {
  const ofAdvance = Math.min(cents, Math.max(0, bill.advance))
  const ofParts = Math.min(cents - ofAdvance, sum(bill.received))
  const parts = splitCents(ofParts, bill.received)
  bill.received = bill.received.map((received, k) => received - (parts[k] ?? 0))
  bill.advance -= cents - ofParts
}

/**
 * The charges changed: what a part has received beyond its new amount, and the advance, go to what is open (BOOK-04).
 * What a part is below zero is taken off the next one.
 */
export function change(bill: Bill, amounts: readonly number[]): void {
  let below = 0
  bill.owed = amounts.map(cents => {
    const left = cents + below
    below = Math.min(0, left)
    return Math.max(0, left)
  })
  const received = bill.received.map((cents, k) => Math.min(cents, bill.owed[k] ?? 0))
  bill.advance += sum(bill.received) - sum(received)
  bill.received = received
  fill(bill)
}

function fill(bill: Bill): void {
  const open = bill.owed.map((cents, k) => cents - (bill.received[k] ?? 0))
  const used = Math.min(Math.max(0, bill.advance), sum(open))
  const parts = splitCents(used, open)
  bill.received = bill.received.map((cents, k) => cents + (parts[k] ?? 0))
  bill.advance -= used
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0)
