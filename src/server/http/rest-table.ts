import type { RestRow } from './rest.ts'

/** One row a documented path: which procedure answers, and how the request becomes its input. */
export const restRows: readonly RestRow[] = [{ method: 'GET', path: '/api/health', call: 'site.health' }]
