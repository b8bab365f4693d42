import { expect, test } from 'vitest'
import { wordsOf } from './restic.ts'

const repository = {
  target: { kind: 's3', address: 'https://s3.example.com/b', user: 'A' },
  password: 'planted-password',
  work: '/nowhere',
} as const
const words = (errors: string) => wordsOf(repository, { code: 1, output: '', errors })

test('the reason of restic is told, not what surrounds it, and no secret [INST-20, INST-23]', () => {
  expect(words('Fatal: the bucket is gone\ngoroutine 1 [running]:\n\truntime/asm_amd64.s:1594\n')).toBe(
    'Fatal: the bucket is gone',
  )
  expect(words('fatal error: out of memory\n\nruntime stack:\n')).toBe('fatal error: out of memory')
  // Since 0.17, with --json.
  expect(words('{"message_type":"exit_error","code":3,"message":"Warning: a file was not read"}\n')).toBe(
    'Warning: a file was not read',
  )
  expect(words('first\nlast planted-password\n')).toBe('last …')
})
