import { Tooltip as RadixTooltip } from 'radix-ui'
import type { ReactNode } from 'react'

/** A hint about the single focusable child, on hover and focus; never the only place of important text. */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactNode }) {
  return (
    <RadixTooltip.Provider delayDuration={300}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-fade rounded-control bg-navy-dark px-3 py-1.5 text-[0.9375rem] text-white shadow-overlay"
        >
          {content}
          <RadixTooltip.Arrow className="fill-navy-dark" />
        </RadixTooltip.Content>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  )
}
