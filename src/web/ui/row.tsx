import type { ReactNode } from 'react'
import { noBreak } from '../../domain/common/no-break.ts'

type RowProps = { title: ReactNode; text?: ReactNode; children: ReactNode }

/** One thing of a list, with its buttons. */
export const Row = ({ title, text, children }: RowProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
    <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
      <span className="block font-semibold">{title}</span>
      {text && <span className="block text-muted">{noBreak(text)}</span>}
    </span>
    <span className="flex max-w-full shrink-0 flex-wrap items-center gap-2">{children}</span>
  </div>
)
