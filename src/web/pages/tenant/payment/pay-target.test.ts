import { expect, test } from 'vitest'
import { pickApplication } from './pay-target.ts'

const application = (id: string, status: 'approved' | 'completed', balanceCents: number) => ({
  id,
  status,
  balance: { balanceCents },
})

test('picks the newest application with a balance, else the newest incomplete one [LOOK-39, PAY-16]', () => {
  const [settled, done, owing, older] = [
    application('settled', 'approved', 0),
    application('done', 'completed', -10),
    application('owing', 'completed', 1),
    application('older', 'approved', 500),
  ]
  const pick = (...applications: (typeof owing)[]) => pickApplication({ applications }, undefined)?.id
  expect(pick(settled, done, owing, older)).toBe('owing')
  expect(pick(done, settled)).toBe('settled')
  expect(pick(done)).toBe('done')
  expect(pick()).toBeUndefined()
  expect(pickApplication({ applications: [owing, done] }, 'done')?.id).toBe('done')
  expect(pickApplication({ applications: [owing] }, 'of nobody')).toBeUndefined()
})
