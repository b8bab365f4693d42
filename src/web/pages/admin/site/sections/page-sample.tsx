import type { ReactNode } from 'react'
import { classNames } from '../../../../ui/class-names.ts'

/** A section's fields; on wide windows with a sample of how its main texts look on the page. */
export function SectionFields({ sample, children }: { sample?: ReactNode; children: ReactNode }) {
  return (
    <div className="@container">
      <div
        className={classNames('grid gap-8', sample !== undefined && '@4xl:grid-cols-[minmax(0,1fr)_19rem]')}
      >
        <div className="grid min-w-0 content-start gap-6">{children}</div>
        {sample && (
          // Repeats the texts in the fields, so it is hidden from screen readers.
          <div aria-hidden className="hidden min-w-0 @4xl:block">
            <div className="sticky top-40 overflow-hidden rounded-card border border-line bg-canvas p-5 wrap-anywhere">
              {sample}
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

type SampleHeadingProps = { eyebrow?: string; title: string; intro?: string }

/** The heading of a section as on the page. */
export function SampleHeading({ eyebrow, title, intro }: SampleHeadingProps) {
  return (
    <>
      {eyebrow && (
        <p className="mb-2 text-sm font-semibold tracking-[0.14em] text-brass-dark uppercase">{eyebrow}</p>
      )}
      <p className="font-display text-[2rem] leading-[1.15] text-navy">
        {title || <Missing>No title</Missing>}
      </p>
      {intro && <p className="mt-3 text-muted">{intro}</p>}
    </>
  )
}

/** A placeholder for a text that is not there yet. */
export function Missing({ children }: { children: ReactNode }) {
  return <span className="text-line-strong">{children}</span>
}
