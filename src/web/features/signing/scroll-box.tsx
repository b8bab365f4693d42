import { type ReactNode, useId } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { noBreakPhones } from '../leases/lease-text.tsx'

type ScrollBoxProps = { labelledBy: string; className: string; children: ReactNode }

/** A text inside a form: shown in full on a phone, else scrollable, also with the keyboard. */
export function ScrollBox({ labelledBy, className, children }: ScrollBoxProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need the focus to scroll
      tabIndex={0}
      aria-labelledby={labelledBy}
      className={classNames(
        'rounded-control border border-line bg-canvas/60 p-4 text-[0.9375rem] leading-relaxed sm:overflow-y-auto sm:px-6',
        className,
      )}
    >
      {children}
    </section>
  )
}

export type Notice = readonly { title: string; text: string }[]

/** The notice about electronic records, which is read before agreeing to it. */
export function NoticeBox({ notice }: { notice: Notice }) {
  const headingId = useId()
  return (
    <div>
      <h3 id={headingId} className="mb-2 font-semibold text-navy">
        Electronic records and signatures
      </h3>
      <ScrollBox labelledBy={headingId} className="sm:max-h-48">
        {notice.map(({ title, text }) => (
          <div key={title} className="not-last:mb-3">
            <h4 className="font-semibold text-navy">{title}</h4>
            <p>{noBreakPhones(text)}</p>
          </div>
        ))}
      </ScrollBox>
    </div>
  )
}
