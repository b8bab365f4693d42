import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { withUniqueKeys } from '../../ui/unique-keys.ts'

/** A text by the owner; empty lines separate paragraphs. */
export function Paragraphs({ text, className }: { text: string; className?: string }) {
  return withUniqueKeys(text.split(/\n\s*\n/).filter(Boolean), paragraph => paragraph).map(
    ({ key, item }) => (
      <p key={key} className={withLines(item, className)}>
        {item}
      </p>
    ),
  )
}

/** Keeps line breaks within a paragraph. */
const withLines = (text: string, className?: string) =>
  text.includes('\n') ? `whitespace-pre-line ${className ?? ''}` : className

type SectionProps = {
  /** The id that the tab bar links to. */
  id: string
  eyebrow?: string
  title: string
  intro?: string | undefined
  className?: string
  children: ReactNode
}

/** A section of the home page. */
export function Section({ id, eyebrow, title, intro, className, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={classNames('scroll-mt-9 py-16 sm:py-24', className)}
    >
      <div className={sectionWidth}>
        <header className="mb-8 max-w-2xl wrap-anywhere sm:mb-12">
          {eyebrow && (
            <p className="mb-2 text-sm font-semibold tracking-[0.14em] text-brass-dark uppercase">
              {eyebrow}
            </p>
          )}
          <h2 id={`${id}-title`} className={displayHeading}>
            {title}
          </h2>
          {intro && <Paragraphs text={intro} className="mt-4 text-lg text-muted" />}
        </header>
        {children}
      </div>
    </section>
  )
}

export const sectionWidth = 'mx-auto w-full max-w-6xl px-4 sm:px-6'
export const displayHeading =
  'font-display text-[2rem] leading-[1.15] tracking-[-0.015em] text-navy sm:text-[2.75rem]'
