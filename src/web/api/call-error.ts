import type { RefusalData } from './procedures.ts'

/** How a call fails that was answered: by the site with `data`, by a proxy, say, with a status alone. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly data: RefusalData | undefined
  readonly status: number | undefined

  constructor(message: string, { data, status }: { data?: RefusalData | undefined; status?: number }) {
    super(message)
    this.data = data
    this.status = data?.httpStatus ?? status
  }
}
