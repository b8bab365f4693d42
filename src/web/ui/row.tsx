import type { ReactNode } from 'react'

type RowProps = { title: ReactNode; text?: ReactNode; children: ReactNode }

/** One thing of a list, with its buttons. */
export const Row = ({ title, text, children }: RowProps) => (
  <div className="flex items-center justify-between gap-x-4">
    <span className="min-w-0 wrap-anywhere">
      <span className="block font-semibold">{title}</span>
      {text && <span className="block text-muted">{text}</span>}
    </span>
    <span className="flex max-w-2/3 shrink-0 flex-wrap items-center justify-end gap-2">{children}</span>
  </div>
)
