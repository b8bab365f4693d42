import type { RestRequest, RestRow } from './rest.ts'

/** Passwords and reset tokens come in the body, never in an address that somebody logs. */
const bodyOnly = ({ body }: RestRequest) => body

/** One row a documented path: which procedure answers, and how the request becomes its input. */
export const restRows: readonly RestRow[] = [
  { method: 'GET', path: '/api/health', call: 'site.health' },

  { method: 'POST', path: '/api/auth/login', call: 'accounts.login', input: bodyOnly },
  { method: 'POST', path: '/api/auth/register', call: 'accounts.register', status: 201, input: bodyOnly },
  {
    method: 'GET',
    path: '/api/auth/verify',
    call: 'accounts.verify',
    failure: ({ error }) => ({ valid: false, error }),
  },
  { method: 'POST', path: '/api/auth/logout', call: 'accounts.logout' },
  { method: 'GET', path: '/api/auth/profile', call: 'accounts.profile' },
  { method: 'PUT', path: '/api/auth/profile', call: 'accounts.updateProfile', input: bodyOnly },
  { method: 'PUT', path: '/api/auth/change-password', call: 'accounts.changePassword', input: bodyOnly },
  { method: 'POST', path: '/api/auth/change-password', call: 'accounts.changePassword', input: bodyOnly },
  {
    method: 'POST',
    path: '/api/auth/admin/change-password',
    call: 'accounts.adminChangePassword',
    input: bodyOnly,
  },
  { method: 'POST', path: '/api/auth/forgot-password', call: 'accounts.forgotPassword', input: bodyOnly },
  { method: 'POST', path: '/api/auth/reset-password', call: 'accounts.resetPassword', input: bodyOnly },
  { method: 'GET', path: '/api/user/:userId', call: 'accounts.getUser' },
]
