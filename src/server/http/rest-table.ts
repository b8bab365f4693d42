import { requireAdmin } from '../../domain/access.ts'
import { applicationQuery } from '../../domain/application-query.ts'
import { allApplications } from '../applications/admin-list.ts'
import type { RestRequest, RestRow } from './rest.ts'

/** Passwords and reset tokens come in the body, never in an address that somebody logs. */
const bodyOnly = ({ body }: RestRequest) => body

/** A filled-in query; its numbers are texts in an address. */
const listInput = ({ query }: RestRequest) => {
  const filled = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  const numbers = Object.entries(filled).filter(([name]) => name === 'page' || name === 'limit')
  return { ...filled, ...Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)])) }
}

/** The period of the revenue; its numbers are texts in an address. */
export const revenueQuery = ({ query }: Pick<RestRequest, 'query'>) => {
  const filled = Object.entries(query).filter(([, value]) => value !== '')
  return Object.fromEntries(filled.map(([name, value]) => [name, name === 'period' ? value : Number(value)]))
}

async function* listParts(slices: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '{"applications":['
  for await (const slice of slices) {
    if (slice.length === 0) continue
    yield before + JSON.stringify(slice).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

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

  { method: 'GET', path: '/api/application/status', call: 'applications.status' },
  { method: 'POST', path: '/api/application', call: 'applications.create', status: 201, input: bodyOnly },
  { method: 'POST', path: '/api/application/:id/submit', call: 'applications.submit' },
  { method: 'GET', path: '/api/application/:id', call: 'applications.get' },
  { method: 'PUT', path: '/api/application/:id', call: 'applications.update' },
  {
    method: 'GET',
    path: '/api/application/admin/all',
    call: 'applications.adminList',
    input: listInput,
    parts: ({ actor, deps }, input) => {
      requireAdmin(actor)
      const query = applicationQuery.parse(input)
      return query.page === undefined ? listParts(allApplications(deps, query)) : undefined
    },
  },
  { method: 'GET', path: '/api/application/admin/:id', call: 'applications.adminGet' },
  { method: 'DELETE', path: '/api/application/admin/:id', call: 'applications.adminDelete' },
  { method: 'PUT', path: '/api/application/admin/:id/status', call: 'applications.adminSetStatus' },
  { method: 'PUT', path: '/api/application/admin/:id/edit', call: 'applications.adminEdit' },

  { method: 'GET', path: '/api/payment/history', call: 'payments.history' },
  {
    method: 'POST',
    path: '/api/payment/create-checkout-session',
    call: 'payments.createCheckoutSession',
    input: bodyOnly,
  },
  { method: 'GET', path: '/api/payment/by-session/:sessionId', call: 'payments.bySession' },
  { method: 'GET', path: '/api/payment/admin/history/:userId', call: 'payments.adminHistory' },
  {
    method: 'GET',
    path: '/api/payment/admin/revenue-summary',
    call: 'payments.revenueSummary',
    input: revenueQuery,
  },
  {
    method: 'POST',
    path: '/api/payment/admin/manual-payment',
    call: 'payments.addManual',
    status: 201,
    input: bodyOnly,
  },
  { method: 'DELETE', path: '/api/payment/admin/remove/:paymentId', call: 'payments.remove' },
  { method: 'GET', path: '/api/payment/admin/available-deposits', call: 'payments.availableDeposits' },
  {
    method: 'POST',
    path: '/api/payment/admin/transfer-amount',
    call: 'payments.transfer',
    input: bodyOnly,
  },

  { method: 'GET', path: '/api/availability', call: 'availability.range' },
  { method: 'GET', path: '/api/availability/admin/all', call: 'availability.adminRange' },
  { method: 'PUT', path: '/api/availability/admin/bulk', call: 'availability.setDates', input: bodyOnly },
  { method: 'PUT', path: '/api/availability/admin/:date', call: 'availability.setDate' },

  { method: 'GET', path: '/api/rates', call: 'rates.list' },
  { method: 'GET', path: '/api/rates/admin/all', call: 'rates.listAll' },
  { method: 'POST', path: '/api/rates/admin', call: 'rates.create', status: 201, input: bodyOnly },
  { method: 'PUT', path: '/api/rates/admin/:id', call: 'rates.update' },
  { method: 'DELETE', path: '/api/rates/admin/:id', call: 'rates.remove' },

  { method: 'GET', path: '/api/lease/status', call: 'leases.status' },
  { method: 'GET', path: '/api/lease/preview/:id', call: 'leases.preview' },
  { method: 'POST', path: '/api/lease/generate/:applicationId', call: 'leases.generate' },
  { method: 'POST', path: '/api/lease/sign/:id', call: 'leases.sign' },
  { method: 'DELETE', path: '/api/lease/remove-signed/:applicationId', call: 'leases.removeSigned' },
  { method: 'DELETE', path: '/api/application/admin/remove-lease/:id', call: 'leases.adminRemove' },
]
