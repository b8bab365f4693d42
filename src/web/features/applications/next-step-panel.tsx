import type { ReactNode } from 'react'

type NextStepPanelProps = {
  /** The screen's own heading, where the panel is its head. */
  heading?: ReactNode
  /** What the step is about, above its title. */
  about?: ReactNode
  title?: ReactNode
  text?: ReactNode
  action?: ReactNode
}

/** What to do next, first on the screen. */
export function NextStepPanel({ heading, about, title, text, action }: NextStepPanelProps) {
  return (
    <section
      aria-label="Next step"
      className="grid gap-5 rounded-card bg-navy px-5 py-6 text-white sm:gap-6 sm:px-8 sm:py-8"
    >
      {heading}
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 empty:hidden">
        <div className="min-w-0 max-sm:w-full">
          {about && <p className="mb-0.5 text-[0.9375rem] text-glass">{about}</p>}
          {title && <p className="text-xl leading-snug font-semibold">{title}</p>}
          {text && <p className="mt-0.5 text-white/85">{text}</p>}
        </div>
        {action && (
          <div className="flex flex-wrap gap-3 empty:hidden max-sm:w-full max-sm:*:grow">{action}</div>
        )}
      </div>
    </section>
  )
}
