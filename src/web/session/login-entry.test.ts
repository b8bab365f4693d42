import { expect, test } from 'vitest'
import { pageAfterLogin } from './login-entry.ts'

const tenant = { id: 'tenant', role: 'tenant' } as const
const admin = { id: 'admin', role: 'admin' } as const
const lease = '/application/one?tab=lease'

test('a login leads to the requested page [LOOK-43]', () => {
  expect(pageAfterLogin({ page: lease }, tenant)).toBe(lease)
  expect(pageAfterLogin({ page: lease, userId: 'tenant' }, tenant)).toBe(lease)
  expect(pageAfterLogin({ page: '/admin/rates' }, admin)).toBe('/admin/rates')
})

test('a login leads to the dashboard without a page, or if the page is not for this user [LOOK-43]', () => {
  expect(pageAfterLogin({}, tenant)).toBe('/dashboard')
  expect(pageAfterLogin({}, admin)).toBe('/admin/dashboard')
  expect(pageAfterLogin({ page: lease, userId: 'somebody' }, tenant)).toBe('/dashboard')
  expect(pageAfterLogin({ page: '/admin/rates' }, tenant)).toBe('/dashboard')
})
