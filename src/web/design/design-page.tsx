import { ToastRegion } from '../ui/toast-region.tsx'
import { actions } from './actions.tsx'
import { content } from './content.tsx'
import { fields } from './fields.tsx'
import { messages } from './messages.tsx'
import { overlays } from './overlays.tsx'
import type { Part } from './part.ts'
import { Tokens } from './tokens.tsx'

/** The components in `src/web/ui`, by file name. */
export const parts: readonly Part[] = [...actions, ...fields, ...content, ...messages, ...overlays]

/** Shows every design token and component in each state; served at /design in development. */
export function DesignPage() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid max-w-6xl gap-10 px-4 py-10 sm:px-6">
      <h1 className="font-display text-4xl text-navy">Design language</h1>
      <Tokens />
      {parts.map(part => (
        <PartSection key={part.file} {...part} />
      ))}
      <ToastRegion />
    </main>
  )
}

function PartSection({ file, about, states, wide }: Part) {
  return (
    <section id={file} aria-labelledby={`${file}-title`} className="scroll-mt-4">
      <h2 id={`${file}-title`} className="text-xl font-semibold text-navy">
        {file}
      </h2>
      <p className="mb-4 max-w-prose text-muted">{about}</p>
      <div data-picture={file} className="rounded-card border border-line p-5">
        <div className={wide ? 'grid gap-6' : 'flex flex-wrap items-start gap-x-8 gap-y-6'}>
          {states.map(([state, sample]) => (
            <figure key={state} className="grid min-w-0 gap-2">
              <figcaption className="text-sm text-muted">{state}</figcaption>
              {sample}
            </figure>
          ))}
        </div>
      </div>
    </section>
  )
}
